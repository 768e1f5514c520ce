import type { Actor } from '#contract/permissions.ts'
import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import { translateDatabaseError } from '#server/platform/database-problems.ts'
import type { ReadSession, SessionUser, System } from '#server/platform/system.ts'
import { cookieNames, createCookieSignatures, signedCookie } from './cookies.ts'
import { idHash } from './id-hash.ts'

interface Row extends SessionUser {
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
  select extract(epoch from s.expires_at)::float8 * 1000 as "expiresAt",
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
  where s.id_hash = $1 and s.expires_at > $2 and s.auth_epoch = u.auth_epoch
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
  return async (request) => {
    const id = signedCookie(request, name, signatures)
    if (!id) return undefined
    const key = idHash(id)
    const { rows } = await pool
      .query<Row>({ name: 'session', text: statement, values: [key, clock().toISOString()] })
      .catch(translateDatabaseError)
    const row = rows[0]
    if (!row) return undefined
    return {
      key: key.toString('hex'),
      actor: {
        accountId: row.accountId,
        superUser: row.superUser,
        organizations: organizationsOf(row.organizations),
        services: servicesOf(row.services),
      },
      label: row.email,
      user: row,
      expiresAt: new Date(row.expiresAt),
      authenticatedAt: new Date(row.authenticatedAt),
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
