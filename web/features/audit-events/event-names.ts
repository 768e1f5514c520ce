import type { AuditEventName } from '#contract/audit-event.ts'
import type { MessageKey } from '#contract/message-key.ts'

/** The text of each event. An event without a text does not compile. */
export const eventNames: Record<AuditEventName, MessageKey> = {
  loginSuccess: 'eventLoginSuccess',
  strengthenSession: 'eventStrengthenSession',
  loginFailure: 'eventLoginFailure',
  logout: 'eventLogout',
  serviceEntryRefused: 'eventServiceEntryRefused',
  issuePersonalNumber: 'eventIssuePersonalNumber',
  readDirectory: 'eventReadDirectory',
  signOutNotDelivered: 'eventSignOutNotDelivered',
  createUser: 'eventCreateUser',
  updateUser: 'eventUpdateUser',
  deleteUser: 'eventDeleteUser',
  removeUser: 'eventRemoveUser',
  exportUsers: 'eventExportUsers',
  exportAuditEvents: 'eventExportAuditEvents',
  createAuditStream: 'eventCreateAuditStream',
  deleteAuditStream: 'eventDeleteAuditStream',
  renewAuditStreamSecret: 'eventRenewAuditStreamSecret',
  resendAuditEvents: 'eventResendAuditEvents',
  stopAuditStream: 'eventStopAuditStream',
  updateUserServices: 'eventUpdateUserServices',
  inviteUser: 'eventInviteUser',
  acceptInvite: 'eventAcceptInvite',
  readInviteLink: 'eventReadInviteLink',
  joinOrganization: 'eventJoinOrganization',
  declineInvite: 'eventDeclineInvite',
  expireInvite: 'eventExpireInvite',
  requestPasswordReset: 'eventRequestPasswordReset',
  resetPassword: 'eventResetPassword',
  changePassword: 'eventChangePassword',
  createOrganization: 'eventCreateOrganization',
  updateOrganization: 'eventUpdateOrganization',
  deleteOrganization: 'eventDeleteOrganization',
  createService: 'eventCreateService',
  updateService: 'eventUpdateService',
  deleteService: 'eventDeleteService',
  createClient: 'eventCreateClient',
  updateClient: 'eventUpdateClient',
  deleteClient: 'eventDeleteClient',
  createClientSecret: 'eventCreateClientSecret',
  deleteClientSecret: 'eventDeleteClientSecret',
  tryClient: 'eventTryClient',
  testClientLogout: 'eventTestClientLogout',
  orderServiceCategories: 'eventOrderServiceCategories',
  requestServiceAccess: 'eventRequestServiceAccess',
  grantServiceAccess: 'eventGrantServiceAccess',
  refuseServiceAccess: 'eventRefuseServiceAccess',
  createNotice: 'eventCreateNotice',
  updateNotice: 'eventUpdateNotice',
  deleteNotice: 'eventDeleteNotice',
  createSamlConfig: 'eventCreateSamlConfig',
  updateSamlConfig: 'eventUpdateSamlConfig',
  deleteSamlConfig: 'eventDeleteSamlConfig',
  updateEmailTemplate: 'eventUpdateEmailTemplate',
  notifyInactiveUser: 'eventNotifyInactiveUser',
  unknown: 'eventUnknown',
}

const isKnown = (name: string): name is AuditEventName => Object.hasOwn(eventNames, name)

/** Events that a later version wrote are shown as unknown. */
export const knownName = (name: string): AuditEventName => (isKnown(name) ? name : 'unknown')

export const eventTextKey = (name: string): MessageKey => eventNames[knownName(name)]
