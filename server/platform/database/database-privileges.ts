import pg from 'pg'

/** Raised when the privileges below change, so that existing databases get them. */
export const privilegesVersion = 9

// Privileges of the serving role on a table; full read and write access where none are listed.
const privileges: Record<string, string> = {
  audit_chain: 'select',
  audit_checkpoints: 'select',
  audit_checks: 'select, insert',
  audit_cold_months: 'select',
  audit_erasures: 'select',
  // Not `sealed` and `salt`: only the sealer sets them.
  audit_events: `select, insert (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id,
    created_at)`,
  audit_head: 'select',
  daily_figures_until: 'select',
  migrations: 'select',
}

const sharedRole = 'vestibule_app'

/** Grants the serving role only the privileges that it needs: the audit log is append-only. */
export async function grantPrivileges(client: pg.Client, role: string): Promise<void> {
  const to = client.escapeIdentifier(role)
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables
     where schemaname in (current_schema(), 'pgboss') and tableowner = current_user
       -- A partition of ours is only reached through its table.
       and not exists (select from pg_class where relname = tablename and relnamespace = current_schema()::regnamespace
         and schemaname = current_schema() and relispartition)`,
  )
  const statements = rows.flatMap(({ schema, name }) => {
    const table = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`
    const allowed = (schema === 'pgboss' ? undefined : privileges[name]) ?? 'select, insert, update, delete'
    return [`revoke all on ${table} from ${to}`, `grant ${allowed} on ${table} to ${to}`]
  })
  await runWithRetry(client, [
    `grant usage on schema public, pgboss to ${to}`,
    `revoke create on schema public, pgboss from ${to}`,
    ...statements,
  ])
}

/** What acts with the rights of the owner is for the serving role alone: PostgreSQL lets every role call a new function. */
export async function closeFunctions(client: pg.Client, role: string | undefined): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select format('%I.%I(%s)', nspname, proname, pg_get_function_identity_arguments(f.oid)) as signature
     from pg_proc f join pg_namespace s on s.oid = pronamespace
     where nspname in (current_schema(), 'pgboss') and prosecdef and proowner = quote_ident(current_user)::regrole`,
  )
  const revoke = rows.map(({ signature }) => `revoke execute on function ${signature} from public`)
  const to = role && client.escapeIdentifier(role)
  const grant = to ? rows.map(({ signature }) => `grant execute on function ${signature} to ${to}`) : []
  await runWithRetry(client, [...grant, ...revoke])
}

/**
 * Where one connection URL both owns the tables and serves, the pool switches to a role with fewer privileges after
 * connecting. Creates that role if the owner is allowed to.
 *
 * @returns its name, or undefined where it cannot be created
 */
export async function ensureServingRole(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query('select current_user as name')
  if (rows[0].name === sharedRole) return undefined
  const attempts = [[], [`create role ${sharedRole} nologin`], [`grant ${sharedRole} to current_user`]]
  for (const statements of attempts) {
    try {
      await runWithRetry(client, statements)
    } catch (error) {
      if (!isRefused(error)) throw error
    }
    if (await canSwitchRole(client)) return sharedRole
  }
  return undefined
}

async function canSwitchRole(client: pg.Client): Promise<boolean> {
  try {
    await runWithRetry(client, [`set local role ${sharedRole}`])
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}

/** Retries on concurrent updates: roles are shared by all databases of the server. */
async function runWithRetry(client: pg.Client, statements: string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(['begin', ...statements, 'commit'].join(';\n'))
      return
    } catch (error) {
      await client.query('rollback')
      const concurrent = /concurrently/.test((error as Error).message)
      if (!concurrent || tries === 10) throw error
    }
  }
}

// Insufficient privilege, unknown role, or a role that another process has just created.
const isRefused = (error: unknown) =>
  error instanceof pg.DatabaseError && ['42501', '42704', '22023', '42710', '23505', '0LP01'].includes(error.code ?? '')
