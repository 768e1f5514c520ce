import { present, type Snippet } from './snippet.ts'

export const dotnet: Snippet = {
  name: '.NET (ASP.NET Core)',
  text: ({ issuer, clientId, path, scope, secret, pkce, insecure }) =>
    present(
      '// dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
      'var builder = WebApplication.CreateBuilder(args);',
      'builder.Services',
      '    .AddAuthentication(options =>',
      '    {',
      '        options.DefaultScheme = "Cookies";',
      '        options.DefaultChallengeScheme = "oidc";',
      '    })',
      '    .AddCookie("Cookies")',
      '    .AddOpenIdConnect("oidc", options =>',
      '    {',
      `        options.Authority = "${issuer}";`,
      `        options.ClientId = "${clientId}";`,
      secret && `        options.ClientSecret = builder.Configuration["ClientSecret"] ?? "${secret}";`,
      '        options.ResponseType = "code";',
      `        options.UsePkce = ${pkce};`,
      `        options.CallbackPath = "${path}";`,
      '        options.Scope.Clear();',
      ...scope.split(' ').map((one) => `        options.Scope.Add("${one}");`),
      '        options.GetClaimsFromUserInfoEndpoint = true;',
      '        options.MapInboundClaims = false;',
      insecure && '        options.RequireHttpsMetadata = false; // Only while the portal has no https.',
      '    });',
      'builder.Services.AddAuthorization();',
      '',
      'var app = builder.Build();',
      'app.UseAuthentication();',
      'app.UseAuthorization();',
      'app.MapGet("/", (HttpContext context) => context.User.FindFirst("sub")?.Value).RequireAuthorization();',
      'app.Run();',
    ),
}

export const java: Snippet = {
  name: 'Java (Spring Boot)',
  text: ({ issuer, clientId, redirectUri, path, scope, secret, pkce, port }) =>
    present(
      '# spring-boot-starter-web and spring-boot-starter-oauth2-client; application.yml',
      port && 'server:',
      port && `  port: ${port}`,
      'spring:',
      '  security:',
      '    oauth2:',
      '      client:',
      '        provider:',
      '          portal:',
      `            issuer-uri: ${issuer}`,
      '            user-name-attribute: sub',
      '        registration:',
      '          portal:',
      `            client-id: ${clientId}`,
      secret && `            client-secret: \${CLIENT_SECRET:${secret}}`,
      `            client-authentication-method: ${secret ? 'client_secret_basic' : 'none'}`,
      '            authorization-grant-type: authorization_code',
      `            redirect-uri: ${redirectUri}`,
      `            scope: ${scope.split(' ').join(', ')}`,
      '',
      '// SecurityConfig.java',
      'import org.springframework.context.annotation.*;',
      'import org.springframework.security.config.annotation.web.builders.HttpSecurity;',
      'import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;',
      'import org.springframework.security.oauth2.client.web.*;',
      'import org.springframework.security.web.SecurityFilterChain;',
      '',
      '@Configuration',
      'public class SecurityConfig {',
      '  @Bean',
      '  SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {',
      '    var requests = new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");',
      pkce && '    requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());',
      '    return http',
      '        .authorizeHttpRequests(all -> all.anyRequest().authenticated())',
      '        .oauth2Login(login -> login',
      '            .authorizationEndpoint(endpoint -> endpoint.authorizationRequestResolver(requests))',
      `            .redirectionEndpoint(endpoint -> endpoint.baseUri("${path}")))`,
      '        .build();',
      '  }',
      '}',
    ),
}

export const php: Snippet = {
  name: 'PHP (jumbojett/openid-connect-php)',
  text: ({ issuer, clientId, redirectUri, scope, secret, pkce }) => {
    // The library adds openid.
    const more = scope.split(' ').filter((one) => one !== 'openid')
    return present(
      '<?php // composer require jumbojett/openid-connect-php; save as the page of the redirect address',
      "require __DIR__ . '/vendor/autoload.php';",
      '',
      secret
        ? `$oidc = new Jumbojett\\OpenIDConnectClient('${issuer}', '${clientId}', getenv('CLIENT_SECRET') ?: '${secret}');`
        : `$oidc = new Jumbojett\\OpenIDConnectClient('${issuer}', '${clientId}');`,
      `$oidc->setRedirectURL('${redirectUri}');`,
      pkce && "$oidc->setCodeChallengeMethod('S256');",
      more.length > 0 && `$oidc->addScope(['${more.join("', '")}']);`,
      '$oidc->authenticate();',
      '',
      "header('Content-Type: application/json');",
      'echo json_encode($oidc->requestUserInfo());',
    )
  },
}

export const apache: Snippet = {
  name: 'Apache (mod_auth_openidc)',
  text: ({ discovery, clientId, redirectUri, scope, secret, pkce }) =>
    present(
      '# apt install libapache2-mod-auth-openidc; a2enmod auth_openidc',
      `OIDCProviderMetadataURL ${discovery}`,
      `OIDCClientID ${clientId}`,
      secret && `OIDCClientSecret ${secret}`,
      !secret && 'OIDCProviderTokenEndpointAuth none',
      '# An address that Apache answers itself: no file of yours.',
      `OIDCRedirectURI ${redirectUri}`,
      `OIDCScope "${scope}"`,
      pkce && 'OIDCPKCEMethod S256',
      'OIDCRemoteUserClaim sub',
      '# openssl rand -base64 32 > /etc/apache2/oidc-passphrase; chmod 600 /etc/apache2/oidc-passphrase',
      'OIDCCryptoPassphrase "exec:/usr/bin/cat /etc/apache2/oidc-passphrase"',
      '',
      '<Location "/">',
      '  AuthType openid-connect',
      '  Require valid-user',
      '</Location>',
    ),
}

export const curl: Snippet = {
  name: 'curl',
  text: ({ issuer, clientId, secret = '' }) =>
    present(
      '# A token of the program itself: no one signs in.',
      `curl -u '${clientId}:${secret}' -d grant_type=client_credentials ${issuer}/token`,
    ),
}
