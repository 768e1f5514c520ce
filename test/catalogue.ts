import type pg from 'pg'

// What a database is: every object of the schema `public` that no extension owns, in PostgreSQL's own words. The order of
// columns does not count: a migration adds them at the end.

const own = (catalogue: string, oid: string) =>
  `not exists (select from pg_depend e where e.classid = '${catalogue}'::regclass and e.objid = ${oid} and e.deptype = 'e')`

const relations = `pg_class c join pg_namespace s on s.oid = c.relnamespace and s.nspname = 'public' and ${own('pg_class', 'c.oid')}`
const functions = `pg_proc f join pg_namespace s on s.oid = f.pronamespace and s.nspname = 'public' and ${own('pg_proc', 'f.oid')}`

// PostgreSQL 15.20 and its siblings note a version of each column there, which is never the same.
const ownOptions = `nullif(array(select one from unnest(a.attoptions) as one where one not like 'pg_attver=%'), '{}')`

// Each gives lines: the object, and what it is.
const queries: Record<string, string> = {
  relation: `select c.relname, concat_ws(' ', c.relkind, c.relpersistence, c.reloptions, c.relacl, c.relrowsecurity, c.relreplident,
      pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid),
      (select 'of ' || inhparent::regclass from pg_inherits where inhrelid = c.oid),
      case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end)
    from ${relations} where c.relkind not in ('i', 'I')`,
  column: `select c.relname || '.' || a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attcollation::regcollation,
      a.attidentity, a.attgenerated, a.attstorage, a.attcompression, a.attstattarget, ${ownOptions}, a.attacl,
      pg_get_expr(d.adbin, d.adrelid))
    from ${relations} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind not in ('i', 'I', 'S')`,
  constraint: `select c.relname || '.' || k.conname, concat_ws(' ', pg_get_constraintdef(k.oid), k.convalidated)
    from ${relations} join pg_constraint k on k.conrelid = c.oid`,
  index: `select c.relname, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisclustered)
    from ${relations} join pg_index i on i.indexrelid = c.oid`,
  trigger: `select c.relname || '.' || t.tgname, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled)
    from ${relations} join pg_trigger t on t.tgrelid = c.oid and not t.tgisinternal`,
  rule: `select c.relname || '.' || r.rulename, pg_get_ruledef(r.oid) from ${relations} join pg_rewrite r on r.ev_class = c.oid`,
  policy: `select p.tablename || '.' || p.policyname, p::text from pg_policies p where p.schemaname = 'public'`,
  function: `select f.oid::regprocedure::text, concat_ws(' ', case when f.prokind in ('f', 'p') then pg_get_functiondef(f.oid) end, f.proacl)
    from ${functions}`,
  type: `select t.typname, concat_ws(' ', t.typtype, t.typnotnull, format_type(t.typbasetype, t.typtypmod), t.typdefault, t.typacl,
      (select string_agg(enumlabel, ',' order by enumsortorder) from pg_enum where enumtypid = t.oid),
      (select string_agg(pg_get_constraintdef(oid), ',' order by conname) from pg_constraint where contypid = t.oid))
    from pg_type t join pg_namespace s on s.oid = t.typnamespace and s.nspname = 'public' and ${own('pg_type', 't.oid')}
    where t.typelem = 0`,
  sequence: `select c.relname, concat_ws(' ', format_type(q.seqtypid, null), q.seqstart, q.seqincrement, q.seqmin, q.seqmax, q.seqcache, q.seqcycle,
      (select refobjid::regclass || '.' || attname from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
        where objid = c.oid and refclassid = 'pg_class'::regclass))
    from ${relations} join pg_sequence q on q.seqrelid = c.oid`,
  statistics: `select stxname, pg_get_statisticsobjdef(x.oid) from pg_statistic_ext x where stxnamespace = 'public'::regnamespace`,
  extension: `select extname, concat_ws(' ', extversion, extnamespace::regnamespace) from pg_extension`,
  schema: `select nspname, nspacl::text from pg_namespace where nspname !~ '^pg_'`,
  privileges: `select concat_ws(' ', defaclrole::regrole, defaclobjtype), defaclacl::text from pg_default_acl`,
  comment: `select o.type || ' ' || o.identity, d.description
    from pg_description d, pg_identify_object(d.classoid, d.objoid, d.objsubid) o
    where o.schema = 'public' or o.identity like 'public.%' or o.identity like '% on public.%'`,
}

/** Every object of the database and what it is, a line each. */
export async function readCatalogue(client: pg.Client): Promise<string[]> {
  const lines: string[] = []
  for (const [kind, query] of Object.entries(queries)) {
    const { rows } = await client.query({ text: query, rowMode: 'array' })
    lines.push(...rows.map(([name, what]) => `${kind} ${name}: ${what}`))
  }
  return lines.sort()
}

/** Every row of every table, a line each. */
export async function readRows(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const lines: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} t order by 1`)
    lines.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return lines
}
