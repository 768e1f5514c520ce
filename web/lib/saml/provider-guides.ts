import type { SamlConfigDetails } from '#contract/saml-configs/saml-configs.ts'
import type { SamlTextKey } from './saml-texts.ts'

type Values = Pick<SamlConfigDetails['serviceProvider'], 'entityId' | 'acsUrl' | 'startUrl'>

/** One step in the administration of an identity provider: menu names as the product writes them, and what is entered. */
export interface GuideStep {
  text: Extract<SamlTextKey, `samlGuideStep${string}`>
  path: string
  fields?: readonly (readonly [name: string, value: string])[]
}

/** How the IT of an organisation sets up its side, with this portal's values. */
export const providerGuides = ({ entityId, acsUrl, startUrl }: Values): Record<string, readonly GuideStep[]> => ({
  'Microsoft Entra ID': [
    {
      text: 'samlGuideStepOpen',
      path: 'entra.microsoft.com → Entra ID → Enterprise apps → New application → Create your own application',
    },
    {
      text: 'samlGuideStepChoose',
      path: 'Integrate any other application you don’t find in the gallery (Non-gallery) → Create',
    },
    { text: 'samlGuideStepOpen', path: 'Single sign-on → SAML' },
    {
      text: 'samlGuideStepEnter',
      path: 'Basic SAML Configuration → Edit',
      fields: [
        ['Identifier (Entity ID)', entityId],
        ['Reply URL (Assertion Consumer Service URL)', acsUrl],
        ['Sign on URL (My Apps)', startUrl],
      ],
    },
    { text: 'samlGuideStepSend', path: 'Attributes & Claims', fields: [['emailaddress', 'user.mail']] },
    { text: 'samlGuideStepGrant', path: 'Users and groups → Add user/group' },
    { text: 'samlGuideStepFetch', path: 'Single sign-on → SAML Certificates → Federation Metadata XML → Download' },
  ],
  'AD FS': [
    { text: 'samlGuideStepOpen', path: 'AD FS Management → Relying Party Trusts → Add Relying Party Trust…' },
    { text: 'samlGuideStepChoose', path: 'Claims aware → Start' },
    {
      text: 'samlGuideStepEnter',
      path: 'Select Data Source → Import data about the relying party published online or on a local network',
      fields: [['Federation metadata address (host name or URL)', entityId]],
    },
    { text: 'samlGuideStepGrant', path: 'Choose Access Control Policy → Permit everyone' },
    {
      text: 'samlGuideStepSend',
      path: 'Edit Claim Issuance Policy… → Add Rule… → Send LDAP Attributes as Claims',
      fields: [
        ['Attribute store', 'Active Directory'],
        ['LDAP Attribute', 'E-Mail-Addresses'],
        ['Outgoing Claim Type', 'E-Mail Address'],
      ],
    },
    { text: 'samlGuideStepFetch', path: 'https://…/FederationMetadata/2007-06/FederationMetadata.xml' },
    {
      text: 'samlGuideStepEnter',
      path: 'Intranet, SharePoint, Edge → Favorites',
      fields: [['Link', startUrl]],
    },
  ],
  'Google Workspace': [
    {
      text: 'samlGuideStepOpen',
      path: 'admin.google.com → Apps → Web and mobile apps → Add app → Add custom SAML app',
    },
    { text: 'samlGuideStepFetch', path: 'Google Identity Provider details → Download metadata' },
    {
      text: 'samlGuideStepEnter',
      path: 'Service provider details',
      fields: [
        ['ACS URL', acsUrl],
        ['Entity ID', entityId],
        ['Name ID format', 'EMAIL'],
        ['Name ID', 'Basic Information > Primary email'],
        ['Start URL', startUrl],
      ],
    },
    { text: 'samlGuideStepSend', path: 'Attribute mapping → Add mapping', fields: [['Primary email', 'mail']] },
    { text: 'samlGuideStepGrant', path: 'User access → ON for everyone → Save' },
  ],
  Okta: [
    { text: 'samlGuideStepOpen', path: 'Admin Console → Applications → Applications → Create App Integration' },
    { text: 'samlGuideStepChoose', path: 'SAML 2.0 → Next' },
    {
      text: 'samlGuideStepEnter',
      path: 'Configure SAML → SAML Settings',
      fields: [
        ['Single sign-on URL', acsUrl],
        ['Audience URI (SP Entity ID)', entityId],
        ['Name ID format', 'EmailAddress'],
        ['Application username', 'Email'],
      ],
    },
    { text: 'samlGuideStepSend', path: 'Attribute Statements', fields: [['mail', 'user.email']] },
    { text: 'samlGuideStepGrant', path: 'Assignments → Assign' },
    // The tile of the app itself would send answers that nobody asked for; Okta's documentation puts a Bookmark App in its place.
    {
      text: 'samlGuideStepChoose',
      path: 'General → App Settings → Edit → Application visibility → Do not display application icon to users → Save',
    },
    {
      text: 'samlGuideStepEnter',
      path: 'Applications → Applications → Browse App Catalog → Bookmark App → Add Integration',
      fields: [['URL', startUrl]],
    },
    { text: 'samlGuideStepGrant', path: 'Bookmark App → Assignments → Assign' },
    { text: 'samlGuideStepFetch', path: 'Sign On → SAML Signing Certificates → Actions → View IdP metadata' },
  ],
  Keycloak: [
    { text: 'samlGuideStepSave', path: entityId },
    { text: 'samlGuideStepOpen', path: 'Clients → Import client → Resource file → Browse… → Save' },
    {
      text: 'samlGuideStepSend',
      path: 'Client scopes → …-dedicated → Configure a new mapper → User Property',
      fields: [
        ['Property', 'email'],
        ['SAML Attribute Name', 'mail'],
      ],
    },
    { text: 'samlGuideStepFetch', path: 'Realm settings → General → Endpoints → SAML 2.0 Identity Provider Metadata' },
  ],
})

/** For every other product: what each of them asks for under some name. */
export const otherGuide = ({ entityId, acsUrl, startUrl }: Values): readonly GuideStep[] => [
  {
    text: 'samlGuideStepEnter',
    path: 'Service provider (SAML 2.0)',
    fields: [
      ['Entity ID (Audience)', entityId],
      ['Assertion Consumer Service (HTTP-POST)', acsUrl],
      ['NameID format', 'emailAddress'],
      ['Sign on URL', startUrl],
      ['Signature', 'RSA-SHA256'],
    ],
  },
  { text: 'samlGuideStepSend', path: 'Attributes', fields: [['mail', 'user@example.com']] },
  { text: 'samlGuideStepFetch', path: 'Identity provider metadata (HTTP-Redirect)' },
]
