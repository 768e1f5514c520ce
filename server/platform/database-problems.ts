import pg from 'pg'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import { Problem } from './problem.ts'

/** What a broken constraint means to a person. The database decides the race; this only finds the words. */
const conflicts: Record<string, MessageKey> = {
  user_email_unique: 'emailTaken',
  user_ssn_unique: 'ssnTaken',
  memberships_pkey: 'organizationAlreadyAdded',
  service_assignments_pkey: 'serviceAlreadyAdded',
  seats: 'noSeatsLeft',
  last_super_user: 'lastSuperUser',
  organizations_saml_config_id_fkey: 'samlConfigInUse',
  users_saml_config_id_fkey: 'samlConfigInUse',
}

// What the operating system says when there is no way to the database.
const unreachable = new Set(
  'ECONNREFUSED ECONNRESET ENOENT EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EACCES'.split(' '),
)
// Shutting down, too many connections, cut off by a time-out, locked out; a deadlock that came back each time.
const unavailable = /^(08|53|57P0)|^(57014|25P03|28000|28P01|3D000|40P01|40001|55P03)$/
const broken =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Query read timeout)/

/** What a row points to is not there: the column names the field. */
const missing = (column: string): Issue => ({
  path: column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  message: 'notFound' satisfies MessageKey,
})

/**
 * Turns what the database refuses into a Problem: 422 for a reference to nothing, 409 for another
 * constraint, 503 where it cannot be reached or is too slow.
 *
 * @throws Problem, or the error itself where it is a bug
 */
export function translateDatabaseError(error: unknown): never {
  const { code = '', constraint, table, message = '', syscall } = error as pg.DatabaseError & { syscall?: string }
  if (error instanceof pg.DatabaseError) {
    // PostgreSQL names a foreign key <table>_<column>_fkey, and the table that points.
    const reference =
      message.startsWith('insert or update') &&
      code === '23503' &&
      constraint?.slice(`${table}_`.length, -'_fkey'.length)
    if (reference) throw new Problem(422, 'validationFailed', { issues: [missing(reference)] })
    const key = constraint ? conflicts[constraint] : undefined
    if (key) throw new Problem(409, key)
    if (code === '23503' || code === '23505') throw new Problem(409, 'conflict')
    if (unavailable.test(code)) throw outOfReach(error)
  } else if (
    // A name with several addresses fails with an error for each, without a call of its own.
    ((syscall !== undefined || error instanceof AggregateError) && unreachable.has(code)) ||
    broken.test(message)
  ) {
    throw outOfReach(error)
  }
  throw error
}

const outOfReach = (cause: unknown) => new Problem(503, 'temporarilyUnavailable', { retryAfter: 5, cause })
