import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import type { GuideStep } from './provider-guides.ts'

const send = (path: string, issuer: string): GuideStep => ({
  // With OpenID Connect: give us these.
  text: 'samlGuideStepFetch',
  path,
  fields: [['Issuer', issuer]],
})

type Values = Pick<SamlConfigDetails['serviceProvider'], 'redirectUri' | 'startUrl'>

/** How the IT of an organisation registers the portal as an app, with this portal's addresses. */
export const oidcGuides = ({ redirectUri, startUrl }: Values): Record<string, readonly GuideStep[]> => ({
  'Microsoft Entra ID': [
    { text: 'samlGuideStepOpen', path: 'entra.microsoft.com → Entra ID → App registrations → New registration' },
    {
      text: 'samlGuideStepEnter',
      path: 'Supported account types: Single tenant → Redirect URI: Web',
      fields: [['Redirect URI', redirectUri]],
    },
    { text: 'samlGuideStepOpen', path: 'Certificates & secrets → Client secrets → New client secret' },
    {
      text: 'samlGuideStepSend',
      path: 'Token configuration → Add optional claim → ID',
      fields: [['Claim', 'email']],
    },
    { text: 'samlGuideStepGrant', path: 'Enterprise apps → … → Users and groups → Add user/group' },
    {
      text: 'samlGuideStepEnter',
      path: 'My Apps: App registrations → … → Branding & properties',
      fields: [['Home page URL', startUrl]],
    },
    send(
      'Overview → Application (client) ID; Certificates & secrets → Value',
      'https://login.microsoftonline.com/{Directory (tenant) ID}/v2.0',
    ),
  ],
  'Google Workspace': [
    { text: 'samlGuideStepOpen', path: 'console.cloud.google.com → Google Auth Platform → Audience → Internal' },
    {
      text: 'samlGuideStepEnter',
      path: 'Clients → Create client → Web application',
      fields: [['Authorized redirect URIs', redirectUri]],
    },
    send('Client ID, Client secret', 'https://accounts.google.com'),
  ],
  Okta: [
    { text: 'samlGuideStepOpen', path: 'Admin Console → Applications → Applications → Create App Integration' },
    { text: 'samlGuideStepChoose', path: 'OIDC - OpenID Connect → Web Application → Next' },
    {
      text: 'samlGuideStepEnter',
      path: 'Grant type: Authorization Code',
      fields: [['Sign-in redirect URIs', redirectUri]],
    },
    {
      text: 'samlGuideStepChoose',
      path: 'General → General Settings → Edit → Login initiated by: Either Okta or App → Display application icon to users',
    },
    {
      text: 'samlGuideStepEnter',
      path: 'Login flow: Redirect to app to initiate login (OIDC Compliant)',
      fields: [['Initiate login URI', startUrl]],
    },
    { text: 'samlGuideStepGrant', path: 'Assignments → Assign' },
    send('General → Client ID, Client secrets', 'https://{organisation}.okta.com'),
  ],
  Keycloak: [
    { text: 'samlGuideStepOpen', path: 'Clients → Create client → OpenID Connect' },
    { text: 'samlGuideStepChoose', path: 'Client authentication: On → Standard flow' },
    {
      text: 'samlGuideStepEnter',
      path: 'Login settings',
      fields: [
        ['Valid redirect URIs', redirectUri],
        ['Home URL', startUrl],
      ],
    },
    send('Client ID; Credentials → Client Secret', 'https://{host}/realms/{realm}'),
  ],
})

/** For every other product: what each of them asks for under some name. */
export const otherOidcGuide = ({ redirectUri, startUrl }: Values): readonly GuideStep[] => [
  {
    text: 'samlGuideStepEnter',
    path: 'OpenID Connect, web application, authorization code with PKCE',
    fields: [
      ['Redirect URI', redirectUri],
      ['Initiate login URI', startUrl],
      ['Scopes', 'openid email'],
      ['Client authentication', 'client_secret_basic'],
    ],
  },
  send('Client ID, client secret', 'https://…'),
]
