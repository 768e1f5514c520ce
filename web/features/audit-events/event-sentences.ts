import type { AuditEventName } from '#contract/audit-event.ts'
import type { AuditEvent } from '#contract/audit-events/audit-events.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { capitalized, knownName } from './event-names.ts'

/** What a sentence is chosen by. */
export interface Told extends Pick<AuditEvent, 'name' | 'actor' | 'target' | 'changes'> {
  /** The changed properties that have a label. */
  properties: string
}

/** The value that a property has after the event, or had before it. */
export const changedTo = ({ changes }: Pick<AuditEvent, 'changes'>, property: string) => {
  const change = changes.find((one) => one.property === property)
  return change?.newValue ?? change?.previousValue ?? null
}

/** One text with the value of a property, and one for when it is unknown. */
const withValue = (property: string, withIt: MessageKey, without: MessageKey) => (event: Told) =>
  changedTo(event, property) === null ? without : withIt

const withProperties = (withThem: MessageKey, without: MessageKey) => (event: Told) =>
  event.properties ? withThem : without

/** By the only property that changed: about another person, and about oneself. */
const ofPerson: Readonly<Record<string, readonly [MessageKey, MessageKey?]>> = {
  name: ['toldUpdateUserName', 'toldUpdateUserNameSelf'],
  phoneNumber: ['toldUpdateUserPhone', 'toldUpdateUserPhoneSelf'],
  ssn: ['toldUpdateUserSsn', 'toldUpdateUserSsnSelf'],
  preferredLanguage: ['toldUpdateUserLanguage', 'toldUpdateUserLanguageSelf'],
  loginMethod: ['toldUpdateUserMethod'],
}

/** What the operator's word about an address adds to an event. */
const ofVouching: ReadonlySet<string> = new Set(['emailProof', 'unprovenReason'])

function updateUser(event: Told): MessageKey {
  const { actor, target, changes, properties } = event
  const role = changes.find(({ property }) => property === 'superUser')
  const isAlone = changes.every(({ property }) => property === role?.property || ofVouching.has(property))
  if (role && isAlone) return role.newValue === 'true' ? 'toldUpdateUserSuperUser' : 'toldUpdateUserNoSuperUser'
  const passive = changes.find(({ property }) => property === 'passive')
  if (passive?.newValue === 'true') return 'toldUpdateUserPassive'
  if (changes.some(({ property }) => property === 'lastActive') && changes.length <= 2) return 'toldUpdateUserActive'
  const kinds = new Set(
    changes
      // Follows from another number; nobody changed it.
      .filter(({ property }) => property !== 'emailProof')
      .map(({ property }) => (property === 'firstName' || property === 'lastName' ? 'name' : property)),
  )
  const self = actor !== null && actor === target
  const [only] = kinds
  const texts = kinds.size === 1 && only !== undefined && Object.hasOwn(ofPerson, only) ? ofPerson[only] : undefined
  if (texts && (!self || texts[1])) return self ? (texts[1] ?? texts[0]) : texts[0]
  if (!properties) return 'toldUpdateUserSome'
  return self ? 'toldUpdateUserSelf' : 'toldUpdateUser'
}

function logout({ changes }: Told): MessageKey {
  const has = (name: string) => changes.some(({ property }) => property === name)
  if (has('device')) return 'toldLogoutDevice'
  if (has('signedOutBy')) return 'toldLogoutByOrganization'
  return has('sessions') ? 'toldLogoutOthers' : 'toldLogout'
}

function inviteUser(event: Told): MessageKey {
  if (changedTo(event, 'expiresAt') !== null) return 'toldInviteUserAgain'
  return changedTo(event, 'organization') === null ? 'toldInviteUser' : 'toldInviteUserTo'
}

/** The events with several sentences. */
const chosen: Partial<Record<AuditEventName, (event: Told) => MessageKey>> = {
  loginSuccess: (event) =>
    (changedTo(event, 'client') ?? 'portal') === 'portal' ? 'toldLoginSuccess' : 'toldLoginSuccessTo',
  logout,
  updateUser,
  deleteUser: withValue('replacedBy', 'toldDeleteUserReplaced', 'toldDeleteUser'),
  removeUser: withValue('organizations', 'toldRemoveUserFrom', 'toldRemoveUser'),
  exportUsers: ({ target }) => (target === null ? 'toldExportUsers' : 'toldExportUsersOf'),
  updateUserServices: withValue('organization', 'toldUpdateUserServicesIn', 'toldUpdateUserServices'),
  inviteUser,
  acceptInvite: withValue('organization', 'toldAcceptInviteTo', 'toldAcceptInvite'),
  joinOrganization: withValue('organization', 'toldJoinOrganizationTo', 'toldJoinOrganization'),
  declineInvite: withValue('organization', 'toldDeclineInviteTo', 'toldDeclineInvite'),
  requestPasswordReset: ({ actor }) => (actor === null ? 'toldRequestPasswordReset' : 'toldRequestPasswordResetBy'),
  updateOrganization: withProperties('toldUpdateOrganization', 'toldUpdateOrganizationSome'),
  updateService: withProperties('toldUpdateService', 'toldUpdateServiceSome'),
  requestServiceAccess: withValue('service', 'toldRequestServiceAccessTo', 'toldRequestServiceAccess'),
  grantServiceAccess: withValue('service', 'toldGrantServiceAccessTo', 'toldGrantServiceAccess'),
  refuseServiceAccess: withValue('service', 'toldRefuseServiceAccessTo', 'toldRefuseServiceAccess'),
  notifyInactiveUser: withValue('becomesPassiveAt', 'toldNotifyInactiveUserOwn', 'toldNotifyInactiveUser'),
}

/** The sentence of an event: `toldCreateUser`, or what is chosen above. An event without one does not compile. */
export function sentenceOf(event: Told): MessageKey {
  const name = knownName(event.name)
  return chosen[name]?.(event) ?? `told${capitalized(name)}`
}
