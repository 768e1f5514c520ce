import pg from 'pg'

/** Raised when the rights below change, so that existing databases get them. */
export const rightsVersion = 1

// What the serving role may do with a table; everything, where nothing is said.
const rights: Record<string, string> = {
  audit_events: 'select, insert',
  audit_head: 'select',
  migrations: 'select',
}

const sharedRole = 'vestibule_app'

/** Gives the serving role its rights on the tables, and no more: the audit log is only added to. */
export async function grantRights(client: pg.Client, role: string): Promise<void> {
  const to = client.escapeIdentifier(role)
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables
     where schemaname in (current_schema(), 'pgboss') and tableowner = current_user`,
  )
  const statements = rows.flatMap(({ schema, name }) => {
    const table = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`
    const allowed = (schema === 'pgboss' ? undefined : rights[name]) ?? 'select, insert, update, delete'
    return [`revoke all on ${table} from ${to}`, `grant ${allowed} on ${table} to ${to}`]
  })
  await turnByTurn(client, [
    `grant usage on schema public, pgboss to ${to}`,
    `revoke create on schema public, pgboss from ${to}`,
    ...statements,
  ])
}

/**
 * Where one address both owns the tables and serves, the pool takes on a lesser role after connecting. Makes that
 * role where the owner may.
 *
 * @returns its name, or undefined where it cannot be had
 */
export async function separateRole(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query('select current_user as name')
  if (rows[0].name === sharedRole) return undefined
  const attempts = [[], [`create role ${sharedRole} nologin`], [`grant ${sharedRole} to current_user`]]
  for (const statements of attempts) {
    try {
      await turnByTurn(client, statements)
    } catch (error) {
      if (!isRefused(error)) throw error
    }
    if (await canTakeOn(client)) return sharedRole
  }
  return undefined
}

async function canTakeOn(client: pg.Client): Promise<boolean> {
  try {
    await turnByTurn(client, [`set local role ${sharedRole}`])
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}

/** Roles belong to the whole server: another database may be about to change the same rows. */
async function turnByTurn(client: pg.Client, statements: string[]): Promise<void> {
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

// Insufficient privilege, no such role, or one that another process made a moment ago.
const isRefused = (error: unknown) =>
  error instanceof pg.DatabaseError && ['42501', '42704', '22023', '42710', '23505', '0LP01'].includes(error.code ?? '')
