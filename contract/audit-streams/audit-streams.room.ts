import { superUsers } from '#contract/actor.ts'

export const permissions = { manageAuditStreams: superUsers }

export const auditEvents = [
  'createAuditStream',
  'deleteAuditStream',
  'renewAuditStreamSecret',
  'resendAuditEvents',
  'stopAuditStream',
] as const

export const screens = ['/audit-streams', '/audit-streams/create', '/audit-streams/{streamId}'] as const
