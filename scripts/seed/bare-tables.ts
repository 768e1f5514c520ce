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
  'role_grants',
  'groups',
  'group_members',
  'group_services',
]

/**
 * Runs the work on tables without triggers, foreign keys and secondary indexes, and recreates them afterwards: building an
 * index at once takes a tenth of the time of row-by-row updates, and foreign keys are checked in one pass.
 */
export async function onBareTables(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const name = (text: string) => client.escapeIdentifier(text)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema() and tablename = any ($1)
       and not exists (select from pg_constraint where conname = indexname)`,
    [tables],
  )
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(
    `select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
     from pg_constraint join pg_class on pg_class.oid = conrelid
     where contype = 'f' and connamespace = current_schema()::regnamespace and relname = any ($1)`,
    [tables],
  )
  for (const table of tables) await client.query(`alter table ${name(table)} disable trigger user`)
  for (const one of references) await client.query(`alter table ${name(one.table)} drop constraint ${name(one.name)}`)
  for (const one of indexes) await client.query(`drop index ${name(one.name)}`)
  await work()
  for (const one of indexes) await client.query(one.definition)
  for (const one of references)
    await client.query(`alter table ${name(one.table)} add constraint ${name(one.name)} ${one.definition}`)
  for (const table of tables) await client.query(`alter table ${name(table)} enable trigger user`)
}
