import type pg from 'pg'

const tables = [
  'users',
  'memberships',
  'service_assignments',
  'invitations',
  'invitation_services',
  'directory',
  'organizations',
  'services',
  'organization_services',
  'organization_roles',
  'all_grants',
  'groups',
  'group_members',
  'group_services',
]

/** What brings back all that a table has lost. */
export interface Lost {
  table: string
  /** Indexes and unique constraints. */
  indexes: string[]
  /** Foreign keys, which the others need to be whole for: each is added without a check, and then checked. */
  references: { add: string; check: string }[]
  triggers: string
}

/** Takes triggers, foreign keys, secondary indexes and the unique constraints that nothing refers to off the tables. */
export async function makeBare(client: pg.Client): Promise<Lost[]> {
  const name = (text: string) => client.escapeIdentifier(text)
  const { rows: indexes } = await client.query<{ table: string; name: string; definition: string }>(
    `select tablename as table, indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema() and tablename = any ($1)
       and not exists (select from pg_constraint where conname = indexname)`,
    [tables],
  )
  const { rows: constraints } = await client.query<{
    table: string
    name: string
    kind: 'f' | 'u'
    definition: string
  }>(
    `select relname as table, conname as name, contype as kind, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class on pg_class.oid = conrelid
     where connamespace = current_schema()::regnamespace and relname = any ($1) and (contype = 'f'
       or contype = 'u' and not exists (select from pg_constraint r where r.contype = 'f' and r.conindid = c.conindid))`,
    [tables],
  )
  for (const table of tables) await client.query(`alter table ${name(table)} disable trigger user`)
  for (const one of constraints) await client.query(`alter table ${name(one.table)} drop constraint ${name(one.name)}`)
  for (const one of indexes) await client.query(`drop index ${name(one.name)}`)
  return tables.map((table) => {
    const own = <Part extends { table: string }>(parts: Part[]) => parts.filter((part) => part.table === table)
    const add = (one: (typeof constraints)[number]) =>
      `alter table ${name(table)} add constraint ${name(one.name)} ${one.definition}`
    return {
      table,
      indexes: [
        ...own(indexes).map(({ definition }) => definition),
        ...own(constraints)
          .filter(({ kind }) => kind === 'u')
          .map(add),
      ],
      references: own(constraints)
        .filter(({ kind }) => kind === 'f')
        .map((one) => ({
          add: `${add(one)} not valid`,
          check: `alter table ${name(table)} validate constraint ${name(one.name)}`,
        })),
      triggers: `alter table ${name(table)} enable trigger user`,
    }
  })
}

/**
 * Runs the work on bare tables, and recreates afterwards what they lost: building an index at once takes a tenth of the time
 * of row-by-row updates, and foreign keys are checked in one pass.
 */
export async function onBareTables(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const lost = await makeBare(client)
  await work()
  const references = lost.flatMap((one) => one.references)
  for (const statement of [
    ...lost.flatMap(({ indexes }) => indexes),
    ...references.map(({ add }) => add),
    ...references.map(({ check }) => check),
    ...lost.map(({ triggers }) => triggers),
  ])
    await client.query(statement)
}
