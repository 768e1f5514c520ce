import type { Actor } from '#contract/actor.ts'
import { type LoginMethod, lackOf } from '#contract/login-methods.ts'
import { createBatchLoader } from '#server/platform/database/batch-loader.ts'
import { translateDatabaseError } from '#server/platform/database/database-problems.ts'
import type { ReadSession, Session, SessionUser, System } from '#server/platform/system.ts'
import { cookieNames, createCookieSigner, readSignedCookie } from './cookies.ts'
import { hashId } from './hash-id.ts'
import { type EnrolmentFacts, mustEnrol } from './must-enrol.ts'

interface Row
  extends Omit<SessionUser, 'mustEnrol'>,
    Pick<EnrolmentFacts, 'operatesSince' | 'usualFactor' | 'wasHelped'> {
  /** Hex of the hash under which the session is stored. */
  key: string
  uid: string
  /** Milliseconds since the epoch. */
  expiresAt: number
  proofs: Record<string, number>
  amr: string[]
  /** Needs nothing, or what an organisation asks for that this session lacks. */
  organizations: readonly (Actor['organizations'][number] & { needs: LoginMethod | null })[]
  services: Actor['services']
  /** Whether the account's `last_active` is over a minute old. */
  wasIdle: boolean
}

// Everything that a request needs about its user. `(select $1)` hides the array length from the planner, which would
// otherwise replan every call.
const findSessions = `
  select encode(s.id_hash, 'hex') as key, s.uid, extract(epoch from s.expires_at)::float8 * 1000 as "expiresAt",
    s.proofs,
    u.account_id as "accountId", u.email, u.first_name as "firstName", u.last_name as "lastName",
    u.ssn_sealed as "ssnSealed", u.ssn_proof as "ssnProof", u.phone_number as "phoneNumber", u.preferred_language as "preferredLanguage",
    u.login_method as "loginMethod", u.super_user as "superUser", case when u.has_portal_role then (select role from grants g where g.account_id = u.account_id and g.scope = 'portal') end as "portalRole", u.operates_since as "operatesSince", u.usual_factor as "usualFactor", u.must_enrol as "wasHelped",
    u.password_must_change or u.password_hash is not null
      and password_is_old(u.account_id, coalesce(u.password_changed_at, u.created_at)) as "passwordMustChange",
    u.version, coalesce(u.last_active <= $2::timestamptz - interval '1 minute', true) as "wasIdle",
    coalesce(s.payload -> 'amr', '[]') as amr,
    (select coalesce(json_agg(json_build_object('organizationId', m.organization_id, 'userRole', m.user_role,
        'roles', (select json_agg(json_build_object('permissions', h.permissions)) from held_roles h
          where h.account_id = m.account_id and h.organization_id = m.organization_id),
        'scoped', (select json_agg(json_build_object('role', g.role, 'scopeId', g.scope_id)) from grants g
          where g.account_id = m.account_id and g.organization_id = m.organization_id and g.scope_id is not null),
        'needs', case when not meets_floor(m.entry, o.require_login_method, o.login_method, o.saml_config_id,
          u.saml_config_id, floor_role(m.user_role, o.strong_admins_from, m.account_id, m.organization_id), o.second_factors, o.strong_admins_from, s.payload -> 'amr')
          then o.login_method end)), '[]')
      from current_memberships m join organizations o on o.organization_id = m.organization_id
      where m.account_id = u.account_id) as organizations,
    (select coalesce(json_agg(json_build_object('serviceId', a.service_id, 'organizationId', a.organization_id,
        'userRole', a.user_role)), '[]')
      from current_assignments a where a.account_id = u.account_id) as services
  from sessions s join users u on u.account_id = s.account_id
  where s.id_hash = any((select $1)::bytea[]) and s.expires_at > $2 and s.auth_epoch = u.auth_epoch
    and u.passive_at is null and not u.pending`

// Skips a locked row, so that a request never waits for this.
const recordActivity = `
  update users set last_active = $2 where account_id = (
    select account_id from users
    where account_id = $1 and coalesce(last_active <= $2::timestamptz - interval '1 minute', true)
    for no key update skip locked)`

/**
 * Reads the session of a request: signed cookie → row → user, always from the database. It never extends the session, and
 * updates `last_active` at most once a minute.
 *
 * @throws Problem 503 when the database is unavailable
 */
export function createReadSession({ config, keys, pool, clock }: System): ReadSession {
  const cookie = cookieNames(config).session
  const signatures = createCookieSigner(keys)
  const find = createBatchLoader(async (hashes: readonly Buffer[]) => {
    const { rows } = await pool
      .query<Row>({ name: 'find sessions', text: findSessions, values: [hashes, clock().toISOString()] })
      .catch(translateDatabaseError)
    const byKey = new Map(rows.map((row) => [row.key, row]))
    return hashes.map((hash) => byKey.get(hash.toString('hex')))
  })
  return async (request) => {
    const id = readSignedCookie(request, cookie, signatures)
    const row = id && (await find(hashId(id)))
    if (!row) return undefined
    const { operatesSince, usualFactor, wasHelped, ...rest } = row
    const { key, uid, expiresAt, proofs, amr, organizations, services, wasIdle, ...user } = rest
    const { accountId, superUser, portalRole, email } = user
    if (wasIdle)
      await pool
        .query({ name: 'record activity', text: recordActivity, values: [accountId, clock().toISOString()] })
        .catch(translateDatabaseError)
    return {
      key,
      uid,
      ...divide({ accountId, superUser, portalRole }, organizations, services),
      amr,
      label: email,
      user: {
        ...user,
        mustEnrol: mustEnrol(config, row, clock()),
      },
      expiresAt: new Date(expiresAt),
      proofs,
    }
  }
}

/** A membership below its floor is not in reach of the session, so that no call has to think of it. */
function divide(
  who: Pick<Actor, 'accountId' | 'superUser' | 'portalRole'>,
  memberships: Row['organizations'],
  services: Actor['services'],
): Pick<Session, 'actor' | 'heldBack'> {
  const organizations = memberships.flatMap(({ needs, ...own }) => (needs === null ? [own] : []))
  const held = memberships.flatMap(({ needs, ...own }) => (needs === null ? [] : [{ ...own, needs: lackOf(needs) }]))
  const isHeld = ({ organizationId }: { organizationId: string }) =>
    held.some((one) => one.organizationId === organizationId)
  return {
    actor: { ...who, organizations, services: services.filter((one) => !isHeld(one)) },
    heldBack: { organizations: held, services: services.filter(isHeld) },
  }
}
