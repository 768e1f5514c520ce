import type { ServiceClient } from '#contract/service-clients/service-clients.ts'
import { apache, curl, dotnet, java, php } from './more-snippets.ts'
import { present, type Snippet, type Values } from './snippet.ts'

/** What stands in a snippet where the secret goes. */
export const secretPlaceholder = 'CLIENT_SECRET'

/** Whether the developer puts a secret into a snippet. */
export const hasSecret = ({ authentication }: Pick<ServiceClient, 'authentication'>) =>
  authentication.startsWith('client_secret_')

const node: Snippet = {
  name: 'Node.js (openid-client)',
  text: ({ issuer, clientId, redirectUri, scope, secret, key, insecure }) =>
    present(
      `// npm install openid-client${key ? ' jose' : ''}; save as service.mjs; node service.mjs`,
      "import { createServer } from 'node:http'",
      key && "import { importJWK } from 'jose'",
      "import * as client from 'openid-client'",
      '',
      `const redirectUri = new URL('${redirectUri}')`,
      key && '// The private key as a JSON Web Key, with kid and alg.',
      key && 'const jwk = JSON.parse(process.env.CLIENT_KEY)',
      'const config = await client.discovery(',
      `  new URL('${issuer}'),`,
      `  '${clientId}',`,
      '  undefined,',
      key
        ? '  client.PrivateKeyJwt({ key: await importJWK(jwk, jwk.alg), kid: jwk.kid }),'
        : secret
          ? `  client.ClientSecretBasic(process.env.CLIENT_SECRET ?? '${secret}'),`
          : '  client.None(),',
      insecure && '  // Only while the portal has no https.',
      insecure && '  { execute: [client.allowInsecureRequests] },',
      ')',
      '',
      'createServer(async (request, response) => {',
      '  const url = new URL(request.url, redirectUri)',
      '  if (url.pathname !== redirectUri.pathname) {',
      '    const verifier = client.randomPKCECodeVerifier()',
      '    const state = client.randomState()',
      '    const location = client.buildAuthorizationUrl(config, {',
      '      redirect_uri: redirectUri.href,',
      `      scope: '${scope}',`,
      '      code_challenge: await client.calculatePKCECodeChallenge(verifier),',
      "      code_challenge_method: 'S256',",
      '      state,',
      '    }).href',
      '    const cookie = "sign-in=" + state + "." + verifier + "; HttpOnly; SameSite=Lax; Path=/"',
      "    return response.writeHead(303, { location, 'set-cookie': cookie }).end()",
      '  }',
      '  try {',
      "    const [state, verifier] = /sign-in=([^;]+)/.exec(request.headers.cookie ?? '')?.[1].split('.') ?? []",
      '    const tokens = await client.authorizationCodeGrant(config, url, {',
      '      pkceCodeVerifier: verifier,',
      '      expectedState: state,',
      '    })',
      '    const { sub } = tokens.claims()',
      '    const user = await client.fetchUserInfo(config, tokens.access_token, sub)',
      "    response.setHeader('content-type', 'application/json').end(JSON.stringify(user, null, 2))",
      '  } catch (error) {',
      '    console.error(error)',
      "    response.writeHead(400).end('The sign-in failed.')",
      '  }',
      '}).listen(redirectUri.port || 8080)',
    ),
}

const python: Snippet = {
  name: 'Python (Authlib, Flask)',
  text: ({ discovery, clientId, redirectUri, path, port, scope, secret, pkce }) =>
    present(
      `# pip install authlib flask requests; save as service.py; flask --app service run --port ${port ?? 5000}`,
      'import os',
      'from authlib.integrations.flask_client import OAuth',
      'from flask import Flask, session',
      '',
      'app = Flask(__name__)',
      "app.secret_key = os.environ.get('SESSION_KEY') or os.urandom(32)",
      'portal = OAuth(app).register(',
      "    'portal',",
      `    client_id='${clientId}',`,
      secret && `    client_secret=os.environ.get('CLIENT_SECRET', '${secret}'),`,
      `    server_metadata_url='${discovery}',`,
      `    client_kwargs={'scope': '${scope}'${pkce ? ", 'code_challenge_method': 'S256'" : ''}${secret ? '' : ", 'token_endpoint_auth_method': 'none'"}},`,
      ')',
      '',
      "@app.get('/')",
      'def sign_in():',
      `    return portal.authorize_redirect('${redirectUri}')`,
      '',
      `@app.get('${path}')`,
      'def signed_in():',
      '    token = portal.authorize_access_token()',
      "    session['user'] = portal.userinfo(token=token)",
      "    return session['user']",
    ),
}

/** Programs that sign people in with this client's own values. */
export function snippetsFor(client: ServiceClient): { name: string; text: string }[] {
  const { issuer, discovery, clientId, redirectUris, scopes, kind, authentication, pkceRequired } = client
  const redirectUri = redirectUris[0] ?? ''
  const key = authentication === 'private_key_jwt'
  const values: Values = {
    issuer,
    discovery,
    clientId: clientId ?? '',
    redirectUri,
    path: URL.parse(redirectUri)?.pathname ?? '/callback',
    port: URL.parse(redirectUri)?.port || undefined,
    scope: scopes.join(' '),
    secret: hasSecret(client) ? secretPlaceholder : undefined,
    key,
    pkce: pkceRequired,
    insecure: issuer.startsWith('http:'),
  }
  const known = kind === 'machine' ? (key ? [] : [curl]) : key ? [node] : [node, python, dotnet, java, php, apache]
  return known.map(({ name, text }) => ({ name, text: text(values) }))
}
