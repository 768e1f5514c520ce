import type { GuideStep } from './provider-guides.ts'

const token = 'vst_scim_…'

/** What the IT does in its directory, with the menu names of the product. */
export const directoryGuides = (address: string): Record<string, readonly GuideStep[]> => ({
  'Microsoft Entra ID': [
    { text: 'samlGuideStepOpen', path: 'entra.microsoft.com → Entra ID → Enterprise apps → … → Provisioning' },
    { text: 'samlGuideStepChoose', path: 'New configuration → Provisioning Mode: Automatic' },
    {
      text: 'samlGuideStepEnter',
      path: 'Admin Credentials → Test Connection → Create',
      fields: [
        ['Tenant URL', `${address}?aadOptscim062020`],
        ['Secret Token', token],
      ],
    },
    {
      text: 'samlGuideStepEnter',
      path: 'Attribute mapping → Provision Microsoft Entra ID Users',
      fields: [
        ['userName', 'userPrincipalName'],
        ['emails[type eq "work"].value', 'mail'],
        ['externalId', 'objectId'],
      ],
    },
    { text: 'samlGuideStepGrant', path: 'Users and groups → Add user/group' },
    { text: 'samlGuideStepChoose', path: 'Overview → Start provisioning' },
  ],
  Okta: [
    { text: 'samlGuideStepOpen', path: 'Admin Console → Applications → … → General → App Settings → Edit' },
    { text: 'samlGuideStepChoose', path: 'Provisioning: SCIM → Save' },
    {
      text: 'samlGuideStepEnter',
      path: 'Provisioning → Integration → Edit',
      fields: [
        ['SCIM connector base URL', address],
        ['Unique identifier field for users', 'userName'],
        ['Supported provisioning actions', 'Push New Users, Push Profile Updates'],
        ['Authentication Mode', 'HTTP Header'],
        ['Authorization: Bearer', token],
      ],
    },
    {
      text: 'samlGuideStepChoose',
      path: 'Provisioning → To App → Edit → Create Users, Update User Attributes, Deactivate Users',
    },
    { text: 'samlGuideStepGrant', path: 'Assignments → Assign' },
  ],
  'Google Workspace': [
    { text: 'samlGuideStepOpen', path: 'admin.google.com → Apps → Web and mobile apps → … → Autoprovisioning' },
    {
      text: 'samlGuideStepEnter',
      path: 'Configure autoprovisioning',
      fields: [
        ['Access token', token],
        ['Endpoint URL', address],
      ],
    },
    { text: 'samlGuideStepGrant', path: 'Provisioning scope → Turn on' },
  ],
  Keycloak: [
    { text: 'samlGuideStepOpen', path: 'Admin Console → … → SCIM client (extension)' },
    {
      text: 'samlGuideStepEnter',
      path: 'SCIM client',
      fields: [
        ['SCIM 2.0 endpoint', address],
        ['Endpoint content type', 'application/scim+json'],
        ['Auth mode', 'Bearer'],
        ['Auth password/token', token],
      ],
    },
    { text: 'samlGuideStepGrant', path: 'Enable user propagation' },
  ],
})

/** Of any other product. */
export const otherDirectoryGuide = (address: string): readonly GuideStep[] => [
  {
    text: 'samlGuideStepEnter',
    path: 'SCIM 2.0',
    fields: [
      ['Base URL', address],
      ['Authorization', `Bearer ${token}`],
      ['Unique attribute', 'userName'],
    ],
  },
]
