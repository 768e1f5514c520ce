import formLabels from 'virtual:form-labels'
import { loginMethods } from '#contract/login-methods.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { portalRoleLabels } from '#contract/portal-roles.ts'
import { signInMethodTexts } from '#web/lib/texts/sign-in-methods.ts'
import { eventTextKey, isOfSignIn } from './event-names.ts'

/** Labels of changed properties: those of the forms, and those that only the log has. */
const labels: Readonly<Record<string, MessageKey>> = {
  ...formLabels,
  // Several forms have these.
  url: 'webAddress',
  message: 'message',
  language: 'language',
  state: 'eventPropertyTemplateState',
  organization: 'organization',
  organizations: 'organizations',
  searchQuery: 'exportSearch',
  status: 'userStatus',
  role: 'role',
  lastActiveBefore: 'lastActiveBefore',
  lastActive: 'lastActive',
  validFrom: 'firstDay',
  validUntil: 'lastDay',
  roleFrom: 'roleFrom',
  roleUntil: 'roleUntil',
  passive: 'passive',
  pending: 'pending',
  userRole: 'eventPropertyUserRole',
  expiresAt: 'eventPropertyExpiresAt',
  emailProof: 'eventPropertyEmailProof',
  ssnProof: 'eventPropertySsnProof',
  method: 'eventPropertyMethod',
  client: 'eventPropertyClient',
  address: 'eventPropertyAddress',
  browser: 'eventPropertyBrowser',
  metadataAddress: 'metadataAddress',
  metadataSigner: 'metadataSigner',
  domainsProven: 'eventPropertyDomainsProven',
  domainsConfirmed: 'eventPropertyDomainsConfirmed',
  domainsWaiting: 'eventPropertyDomainsWaiting',
  directory: 'eventPropertySetupDirectory',
  setupId: 'setupLink',
  setupUse: 'eventPropertySetupUse',
  trialWithoutService: 'eventPropertyTrialWithoutService',
  reason: 'eventPropertyReason',
  unprovenReason: 'eventPropertyReason',
  replacedBy: 'eventPropertyReplacedBy',
  endpoint: 'eventPropertyEndpoint',
  error: 'eventPropertyError',
  count: 'eventPropertyCount',
  becomesPassiveAt: 'eventPropertyBecomesPassiveAt',
  categories: 'categories',
  service: 'service',
  serviceRoles: 'serviceRoles',
  roles: 'organizationRoles',
  noticeText: 'noticeText',
  startsOn: 'firstDay',
  endsOn: 'lastDay',
  passiveUsers: 'eventPropertyPassiveUsers',
  signedOutBy: 'eventPropertySignedOutBy',
  protocol: 'samlConfigKind',
  secondFactor: 'secondFactor',
  mailCodes: 'mailCodes',
  credentialAgeDays: 'maxPasswordAgeDays',
  passkey: 'passkeyName',
  brandHue: 'brandHue',
  brandLogo: 'logo',
  brandDarkLogo: 'darkLogo',
  credentialSetAt: 'eventPropertyCredentialSetAt',
  servicesAtFirstSignIn: 'eventPropertyServicesAtFirstSignIn',
  servicesWithoutSeat: 'eventPropertyServicesWithoutSeat',
  madeGuests: 'eventPropertyMadeGuests',
  rows: 'eventPropertyRows',
  kept: 'reviewKept',
  takenBack: 'reviewTakenBack',
  people: 'eventPropertyPeople',
  decision: 'reviewDecision',
  fileType: 'eventPropertyFileType',
  coldFile: 'eventPropertyColdFile',
  coldFileMissing: 'eventPropertyColdFileMissing',
  chainRows: 'eventPropertyChainRows',
  removedEvents: 'eventPropertyRemovedEvents',
  kindFilter: 'eventKind',
  nameFilter: 'eventName',
  actorFilter: 'eventActor',
  targetFilter: 'eventTarget',
  targetIdFilter: 'eventTarget',
  textFilter: 'exportSearch',
  from: 'eventFrom',
  until: 'eventUntil',
  seq: 'streamNumber',
  fromSeq: 'streamNumber',
  organizationId: 'eventPropertyId',
  group: 'group',
  groups: 'groups',
  groupAdmins: 'groupAdmins',
  serviceOwners: 'serviceOwners',
  peopleAdded: 'peopleAdded',
  peopleRemoved: 'peopleRemoved',
}

/** @returns undefined when there is no label: the property's name is shown instead */
export function propertyLabel(property: string, event: string): MessageKey | undefined {
  // At a sign-in the client is where the person went, elsewhere it is what has been registered.
  if (property === 'client' && !isOfSignIn(event)) return 'eventPropertyOidcClient'
  if (Object.hasOwn(labels, property)) return labels[property]
  // The id of the thing itself, which no form has.
  return property.endsWith('Id') ? 'eventPropertyId' : undefined
}

const methods: Readonly<Record<string, MessageKey>> = {
  ...signInMethodTexts,
  ...Object.fromEntries(Object.entries(loginMethods).map(([method, { label }]) => [method, label])),
}
const yesOrNo: Readonly<Record<string, MessageKey>> = { true: 'yes', false: 'no' }
const statuses: Readonly<Record<string, MessageKey>> = {
  active: 'statusActive',
  pending: 'pending',
  inviteFailed: 'inviteFailed',
  inviteWaits: 'inviteWaits',
  awaitsSignIn: 'awaitsSignIn',
  passive: 'passive',
  emailRefused: 'emailRefused',
  accessEnds: 'accessEnds',
  accessEnded: 'accessEnded',
}
const protocols: Readonly<Record<string, MessageKey>> = { saml: 'samlConfigKindSaml', oidc: 'samlConfigKindOidc' }
const templateStates: Readonly<Record<string, MessageKey>> = {
  draft: 'templateStateDraft',
  published: 'templateStatePublished',
  inherited: 'templateStateInherited',
}
const roles: Readonly<Record<string, MessageKey>> = {
  superUser: 'superUser',
  portalAuditor: 'portalAuditor',
  portalReader: 'portalReader',
  organizationAdmin: 'organizationAdmin',
  serviceAdmin: 'roleServiceAdmin',
}
const decisions: Readonly<Record<string, MessageKey>> = {
  keep: 'reviewKept',
  takeBack: 'reviewToTakeBack',
  takeBackAtOnce: 'reviewTakenBackAtOnce',
  undecided: 'reviewOpenRow',
}
const setupUses: Readonly<Record<string, MessageKey>> = {
  opened: 'setupUseOpened',
  metadata: 'setupUseMetadata',
  provider: 'setupUseProvider',
  test: 'setupUseTest',
}
const kinds: Readonly<Record<string, MessageKey>> = { changes: 'eventKindChanges', signIns: 'eventKindSignIns' }
const values: Readonly<Record<string, Readonly<Record<string, MessageKey>>>> = {
  method: methods,
  client: { portal: 'thePortal' },
  kindFilter: kinds,
  loginMethod: methods,
  status: statuses,
  protocol: protocols,
  state: templateStates,
  role: roles,
  setupUse: setupUses,
  decision: decisions,
  portalRole: portalRoleLabels,
}

/** @returns undefined when the value is shown unchanged */
export const valueLabel = (property: string, value: string): MessageKey | undefined =>
  property === 'nameFilter' ? eventTextKey(value) : (values[property] ?? yesOrNo)[value]
