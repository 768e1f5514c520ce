import pg from 'pg'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import { Problem } from '../problem.ts'

/** The message for each violated constraint. The database resolves races; this only picks the message. */
const conflicts: Record<string, MessageKey> = {
  user_email_unique: 'emailTaken',
  memberships_pkey: 'organizationAlreadyAdded',
  service_assignments_pkey: 'serviceAlreadyAdded',
  membership_period: 'endsBeforeStart',
  role_period: 'endsBeforeStart',
  assignment_period: 'endsBeforeStart',
  invitation_period: 'endsBeforeStart',
  group_member_period: 'endsBeforeStart',
  group_service_period: 'endsBeforeStart',
  group_name_once: 'groupNameTaken',
  seats: 'noSeatsLeft',
  organization_role_name: 'roleNameUsed',
  grant_period: 'endsBeforeStart',
  service_role_key_once: 'roleKeyUsed',
  service_role_full: 'serviceRoleFull',
  service_roles_exclude: 'serviceRolesExclude',
  service_role_removed: 'notFound',
  scim_user_name_taken: 'scimUserNameTaken',
  scim_group_name_taken: 'scimGroupNameTaken',
  last_super_user: 'lastSuperUser',
  user_super_has_no_portal_role: 'superUserHasAll',
  user_operates_is_never_saml: 'superUserNotSaml',
  saml_domain_taken: 'domainTaken',
  sign_in_host_taken: 'signInHostTaken',
  organizations_create_at_sign_in: 'createAtSignInTaken',
  organizations_saml_config_id_fkey: 'samlConfigInUse',
  users_saml_config_id_fkey: 'samlConfigInUse',
}

// Error codes of the operating system when the database is unreachable.
const unreachable = new Set(
  'ECONNREFUSED ECONNRESET ENOENT EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EACCES'.split(' '),
)
// Shutdown, too many connections, time-out, a server that only reads, failed authentication, and a deadlock that retries did not
// resolve.
const unavailable = /^(08|53|57P0)|^(57014|25P03|25006|28000|28P01|3D000|40P01|40001|55P03)$/
const broken =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Query read timeout)/

/** The referenced row does not exist: the column names the field. */
const missing = (column: string): Issue => ({
  path: column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  message: 'notFound' satisfies MessageKey,
})

/**
 * Turns a database error into a Problem: 422 for a missing reference, 409 for another constraint, 503 where the database
 * is unreachable or too slow.
 *
 * @throws Problem, or the original error where it is a bug
 */
export function translateDatabaseError(error: unknown): never {
  const { code = '', constraint, table, message = '' } = error as pg.DatabaseError
  if (error instanceof pg.DatabaseError) {
    // PostgreSQL names a foreign key <table>_<column>_fkey, after the referencing table.
    const reference =
      message.startsWith('insert or update') &&
      code === '23503' &&
      constraint?.slice(`${table}_`.length, -'_fkey'.length)
    if (reference) throw new Problem(422, 'validationFailed', { issues: [missing(reference)] })
    const key = constraint ? conflicts[constraint] : undefined
    if (key) throw new Problem(409, key)
    if (code === '23503' || code === '23505') throw new Problem(409, 'conflict')
    if (unavailable.test(code)) throw unavailableProblem(error)
  } else if (isUnreachable(error)) throw unavailableProblem(error)
  throw error
}

/** Whether the network or the driver says that there is no connection. */
export function isUnreachable(error: unknown): boolean {
  const { code = '', message = '', syscall } = error as NodeJS.ErrnoException
  // A host name with several addresses fails with an AggregateError, which has no `syscall`.
  return ((syscall !== undefined || error instanceof AggregateError) && unreachable.has(code)) || broken.test(message)
}

const unavailableProblem = (cause: unknown) => new Problem(503, 'temporarilyUnavailable', { retryAfter: 5, cause })
