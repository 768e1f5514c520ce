/**
 * What every session of ours sets, because a database, a role or a cluster may have other defaults: with German dates the
 * driver reads no time, with another isolation every concurrent change fails.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  datestyle: 'ISO,MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  search_path: 'public',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  default_transaction_read_only: 'off',
  default_transaction_deferrable: 'off',
  lock_timeout: '0',
  idle_session_timeout: '0',
  // The default assumes a spinning disk, and makes the planner scan small tables instead of using an index.
  random_page_cost: '1.1',
}

interface SessionLimits {
  /** Seconds that a statement may take; 0 is no limit. */
  statementTimeout?: number
  /** Seconds that a transaction may wait for its next statement; 0 is no limit. */
  idleTransactionTimeout?: number
  /** A role to switch to, where the URL belongs to the owner of the tables. */
  role?: string | undefined
  /** Whether every transaction only reads. */
  readOnly?: boolean
}

/** The settings as PostgreSQL's start-up parameter `options`. */
export function sessionOptions({
  statementTimeout = 0,
  idleTransactionTimeout = 0,
  role,
  readOnly = false,
}: SessionLimits = {}): string {
  const settings = {
    ...sessionSettings,
    default_transaction_read_only: readOnly ? 'on' : 'off',
    statement_timeout: `${statementTimeout}s`,
    idle_in_transaction_session_timeout: `${idleTransactionTimeout}s`,
    ...(role ? { role } : {}),
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ')
}
