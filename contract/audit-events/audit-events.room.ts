import { type Actor, may, mayEverywhere, superUsers } from '#contract/actor.ts'

/** Which events an admin of organisations sees is decided where they are read. */
export const permissions = {
  readAllAuditEvents: (actor: Actor) => mayEverywhere(actor, 'readAudit'),
  erasePeople: superUsers,
  readAuditEvents: (actor: Actor) => actor.superUser || may(actor, 'readAudit'),
}

export const auditEvents = [
  'exportAuditEvents',
  'erasePerson',
  'moveAuditMonth',
  'removeAuditMonth',
  'removeAuditEvents',
] as const

export const screens = ['/audit-events', '/audit-events/{id}'] as const
