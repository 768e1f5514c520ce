import type { Actor } from '#contract/permissions.ts'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import { askedTogether } from '#server/platform/asked-together.ts'
import { translateDatabaseError } from '#server/platform/database-problems.ts'
import type { ReadSession, SessionUser, System } from '#server/platform/system.ts'
import { cookieNames, createCookieSignatures, signedCookie } from './cookies.ts'
import { idHash } from './id-hash.ts'

interface Row extends SessionUser {
  /** Hex of the hash under which the session is stored. */
  key: string
  expiresAt: number
  authenticatedAt: number
  /** `organization role`, one after the other. */
  organizations: string | null
  /** `service organization role`, one after the other. */
  services: string | null
}

// Everything that a request needs to know of who asks, in one statement that is planned once per connection. Roles come
// as one text: to the database that costs half of JSON, and this runs on every request.
const statement = `
  select encode(s.id_hash, 'hex') as key, extract(epoch from s.expires_at)::float8 * 1000 as "expiresAt",
    extract(epoch from s.authenticated_at)::float8 * 1000 as "authenticatedAt",
    u.account_id as "accountId", u.email, u.first_name as "firstName", u.last_name as "lastName",
    u.ssn_sealed as "ssnSealed", u.phone_number as "phoneNumber", u.preferred_language as "preferredLanguage",
    u.login_method as "loginMethod", u.super_user as "superUser", u.password_must_change as "passwordMustChange",
    u.version,
    (select string_agg(m.organization_id || ' ' || m.user_role, ' ')
      from memberships m where m.account_id = u.account_id) as organizations,
    (select string_agg(a.service_id || ' ' || a.organization_id || ' ' || a.user_role, ' ')
      from service_assignments a where a.account_id = u.account_id) as services
  from sessions s join users u on u.account_id = s.account_id
  where s.id_hash = any($1::bytea[]) and s.expires_at > $2 and s.auth_epoch = u.auth_epoch
    and u.passive_at is null and not u.pending`

/**
 * Reads the session of a request: signed cookie → row → the person, as the database says at this moment.
 * It never lengthens the session.
 *
 * @throws Problem 503 when the database cannot be asked
 */
export function createReadSession({ config, keys, pool, clock }: System): ReadSession {
  const name = cookieNames(config).session
  const signatures = createCookieSignatures(keys)
  // Requests that arrive together are answered by one statement: it begins after the last of them has come in, so each
  // still sees the rights of its own moment.
  const find = askedTogether(async (hashes: readonly Buffer[]) => {
    const { rows } = await pool
      .query<Row>({ name: 'sessions', text: statement, values: [hashes, clock().toISOString()] })
      .catch(translateDatabaseError)
    const found = new Map(rows.map((row) => [row.key, row]))
    return hashes.map((hash) => found.get(hash.toString('hex')))
  })
  return async (request) => {
    const id = signedCookie(request, name, signatures)
    const row = id && (await find(idHash(id)))
    if (!row) return undefined
    const { key, expiresAt, authenticatedAt, organizations, services, ...user } = row
    return {
      key,
      actor: {
        accountId: user.accountId,
        superUser: user.superUser,
        organizations: organizationsOf(organizations),
        services: servicesOf(services),
      },
      label: user.email,
      user,
      expiresAt: new Date(expiresAt),
      authenticatedAt: new Date(authenticatedAt),
    }
  }
}

function organizationsOf(text: string | null): Actor['organizations'] {
  if (text === null) return []
  const words = text.split(' ')
  const organizations = []
  for (let at = 0; at < words.length; at += 2)
    organizations.push({ organizationId: words[at] as string, userRole: words[at + 1] as OrganizationRole })
  return organizations
}

function servicesOf(text: string | null): Actor['services'] {
  if (text === null) return []
  const words = text.split(' ')
  const services = []
  for (let at = 0; at < words.length; at += 3)
    services.push({
      serviceId: words[at] as string,
      organizationId: words[at + 1] as string,
      userRole: words[at + 2] as ServiceRole,
    })
  return services
}
