import { superUsers } from './actor.ts'

export const permissions = { manageAuditStreams: superUsers }

export const auditEvents = [
  'createAuditStream',
  'deleteAuditStream',
  'renewAuditStreamSecret',
  'resendAuditEvents',
  'stopAuditStream',
] as const
