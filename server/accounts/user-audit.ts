import type { Period, RolePeriod } from '#contract/fields/period.ts'
import { isProof } from '#server/oidc/address-proof.ts'
import { type AuditEntry, listChanges } from '#server/platform/audit/audit.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import type { StoredUser } from './stored-user.repository.ts'

/** `2026-11-01 – 2026-12-31`, where something has a beginning or an end. */
export const periodText = (from: string | null | undefined, until: string | null | undefined) =>
  from || until ? [from, '–', until].filter(Boolean).join(' ') : ''

/** The role, only if it is not `regular`, and the period, if there is one, in brackets. */
function withTerms(name: string, one: Period & RolePeriod & { userRole: string }): string {
  const role = one.userRole === 'regular' ? [] : [one.userRole, periodText(one.roleFrom, one.roleUntil)]
  const terms = [role.filter(Boolean).join(' '), periodText(one.validFrom, one.validUntil)].filter(Boolean)
  return terms.length > 0 ? `${name} (${terms.join('; ')})` : name
}

/** Organisations as readable text. */
export const organizationsText = (
  organizations: readonly (Pick<StoredUser['organizations'][number], 'name' | 'userRole'> & Period & RolePeriod)[],
): string => organizations.map((one) => withTerms(one.name, one)).join(', ')

/** Services as readable text. */
export const servicesText = (services: StoredUser['services']): string =>
  services
    .map((one) => `${one.organizationName}: ${withTerms(one.name, one)}${one.source ? '' : ' [group]'}`)
    .join(', ')

/** A person's values for an audit event, which masks secrets. */
export async function forAudit(keys: Keys, user: StoredUser): Promise<Record<string, unknown>> {
  const { accountId, operates: _operates, ssnSealed, organizations, services, passiveAt, emailProof, ...others } = user
  const { ssnProof: _, lastLogin: __, emailRefusedAt: ___, openedFor: ____, openedForName: _____, ...rest } = others
  return {
    ...rest,
    // The operator's word is no proof: its reason stands in the event.
    emailProof: isProof(emailProof) ? emailProof : null,
    ssn: ssnSealed && (await unsealSsn(keys, accountId, ssnSealed)),
    passive: passiveAt !== null,
    organizations: organizationsText(organizations),
    services: servicesText(services),
  }
}

const ofOperator: ReadonlySet<string> = new Set(['superUser', 'portalRole', 'portalRoleFrom', 'portalRoleUntil'])

/**
 * Takes out of the event of an account who operates the portal. That is an event of no organisation, or it would say, once the
 * role or the account has ended and nothing hides the person any more, that there was one (security 83).
 */
export function apartFromOperator(entry: AuditEntry, vouched: { unprovenReason?: string | undefined }): AuditEntry[] {
  const { before = {}, after = {} } = entry
  const part = (values: Record<string, unknown>, isWanted: boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => ofOperator.has(name) === isWanted))
  const parts: AuditEntry[] = [
    { ...entry, before: part(before, false), after: part(after, false) },
    {
      ...entry,
      name: 'updateUser',
      before: { ...(!entry.before && { superUser: false }), ...part(before, true) },
      after: part(after, true),
      organizationIds: [],
    },
  ]
  return parts
    .filter((one) => listChanges(one.before, one.after).length > 0)
    .map((one) => ({ ...one, after: { ...one.after, ...vouched } }))
}

const rolesIn = (user: StoredUser, organizationId: string): Record<string, unknown> => {
  const isThere = (one: { organizationId: string }) => one.organizationId === organizationId
  return {
    organizations: organizationsText(user.organizations.filter(isThere)),
    services: servicesText(user.services.filter(isThere)),
  }
}

/**
 * The events of a change. Of a person of several organisations, one for the person and one for each organisation in which roles
 * changed: no admin learns from an event what, or when, something changed in another one.
 *
 * @param ended the roles that ended with memberships, by organisation
 */
export async function eventsOfChange(
  keys: Keys,
  before: StoredUser,
  after: StoredUser,
  vouched: { unprovenReason?: string },
  ended: ReadonlyMap<string, string> = new Map(),
): Promise<AuditEntry[]> {
  const [old, now] = [await forAudit(keys, before), await forAudit(keys, after)]
  const organizationIds = [...new Set(organizationIdsOf(before, after))]
  const { organizations: _, services: __, ...oldDetails } = old
  const { organizations: ___, services: ____, ...details } = now
  // Who operates the portal looks like a person of several (security 83).
  const isShared = organizationIds.length > 1 || before.operates || after.operates
  const parts = isShared
    ? [
        { before: oldDetails, after: details, organizationIds },
        ...organizationIds.map((id) => ({
          before: { ...rolesIn(before, id), roles: ended.get(id) },
          after: rolesIn(after, id),
          organizationIds: [id],
        })),
      ]
    : [{ before: { ...old, roles: [...ended.values()].join(', ') }, after: now, organizationIds }]
  return parts.flatMap((part) => apartFromOperator({ ...part, name: 'updateUser', target: labelled(after) }, vouched))
}

export const labelled = ({ accountId, email }: { accountId: string; email: string }) => ({
  id: accountId,
  label: email,
})

export const organizationIdsOf = (...users: StoredUser[]): string[] =>
  users.flatMap(({ organizations }) => organizations.map((one) => one.organizationId))
