// `npm run schema:constructs`: what the schema and its queries use that a distributed engine may lack, as a Markdown table.
// docs/cluster.md says what that means for each engine.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#server/platform/database/migrate.ts'
import { startTemporaryPostgres } from '#test/temporary-postgres.ts'

const ours = "'public'::regnamespace"
/** Each query answers with one name per row. */
const constructs: Record<string, string> = {
  tables: `select relname from pg_class where relnamespace = ${ours} and relkind in ('r', 'p') and not relispartition`,
  'partitioned tables': `select relname from pg_class where relnamespace = ${ours} and relkind = 'p'`,
  'triggers for each row': `select tgname from pg_trigger where not tgisinternal and tgparentid = 0 and (tgtype & 1) = 1`,
  'triggers for each statement': `select tgname from pg_trigger where not tgisinternal and tgparentid = 0 and (tgtype & 1) = 0`,
  '… with transition tables': `select tgname from pg_trigger where tgoldtable is not null or tgnewtable is not null`,
  'functions in PL/pgSQL': `select proname from pg_proc join pg_language l on l.oid = prolang where pronamespace = ${ours} and lanname = 'plpgsql'`,
  '… as security definer': `select proname from pg_proc where pronamespace = ${ours} and prosecdef`,
  'foreign keys': `select conname from pg_constraint where contype = 'f' and connamespace = ${ours} and conparentid = 0`,
  '… that cascade': `select conname from pg_constraint where contype = 'f' and connamespace = ${ours} and conparentid = 0 and confdeltype in ('c', 'n')`,
  'deferrable constraints': `select conname from pg_constraint where connamespace = ${ours} and condeferrable`,
  'exclusion constraints': `select conname from pg_constraint where connamespace = ${ours} and contype = 'x'`,
  'unique keys of accounts or people that do not contain the organisation': `select indexrelid::regclass::text from pg_index i join pg_class c on c.oid = indrelid
     where relnamespace = ${ours} and indisunique and not relispartition and exists (select from pg_attribute where attrelid = indrelid and attname = 'organization_id')
       and not exists (select from pg_attribute where attrelid = indrelid and attname = 'organization_id' and attnum = any (indkey))`,
  'generated columns': `select attrelid::regclass || '.' || attname from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = ${ours} and not relispartition and attgenerated = 's'`,
  'partial indexes': `select indexrelid::regclass::text from pg_index i join pg_class c on c.oid = indrelid where relnamespace = ${ours} and not relispartition and indpred is not null`,
  'GIN indexes (pg_trgm)': `select c.relname from pg_class c join pg_am a on a.oid = c.relam where relnamespace = ${ours} and amname = 'gin' and not relispartition`,
  'columns with an ICU collation': `select attrelid::regclass || '.' || attname from pg_attribute a join pg_class c on c.oid = attrelid join pg_collation o on o.oid = attcollation where relnamespace = ${ours} and relkind = 'r' and not relispartition and collprovider = 'i'`,
}
/** In statements of the code and the schema; pg-boss's own are not counted. */
const inStatements: Record<string, RegExp> = {
  'advisory locks': /pg_(try_)?advisory_/g,
  'rows locked with SKIP LOCKED': /skip locked|skipLocked\(\)/gi,
  'rows locked with FOR UPDATE': /for (no key )?update|forUpdate\(\)|forNoKeyUpdate\(\)/gi,
  'LISTEN / NOTIFY (pg-boss)': /useListenNotify: true/g,
}

const root = join(import.meta.dirname, '..')
const database = await startTemporaryPostgres()
const client = new pg.Client({ connectionString: database.ownerUrl })
try {
  await migrate({ ownerUrl: database.ownerUrl, appRole: 'vestibule_app', say: () => {} })
  await client.connect()
  console.log('| construct | how many | for example |\n|---|---|---|')
  const line = (name: string, found: readonly string[]) =>
    console.log(
      `| ${name} | ${found.length} | ${[...new Set(found)]
        .slice(0, 3)
        .map((one) => `\`${one}\``)
        .join(', ')} |`,
    )
  for (const [name, query] of Object.entries(constructs)) {
    const { rows } = await client.query<Record<string, string>>(`${query} order by 1`)
    line(
      name,
      rows.flatMap((row) => Object.values(row)),
    )
  }
  const files = globSync('server/**/*.{ts,sql}', { cwd: root }).filter((path) => !/\.test\.ts$|migrations\//.test(path))
  for (const [name, pattern] of Object.entries(inStatements))
    line(
      name,
      files.flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(() => path)).sort(),
    )
} finally {
  await client.end()
  await database.stop()
}
