import type pg from 'pg'

/** Every index, constraint and trigger of the schema, with its table. Those of one month of the audit log stand for all. */
export async function readCatalogue(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ part: string }>(
    `select concat_ws(' ', 'index', indrelid::regclass, pg_get_indexdef(indexrelid), indisvalid) as part
       from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
     union all
     select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
       from pg_constraint where connamespace = 'public'::regnamespace
     union all
     select concat_ws(' ', 'trigger', pg_get_triggerdef(t.oid), tgenabled)
       from pg_trigger t join pg_class on pg_class.oid = tgrelid
       where relnamespace = 'public'::regnamespace and not tgisinternal
     union all
     select concat_ws(' ', 'partition', oid::regclass, pg_get_expr(relpartbound, oid) like 'FOR VALUES FROM%')
       from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return new Set(rows.map(({ part }) => part))
}

const aMonth = /audit_events_\d{4}_\d{2}/g

/** @throws when something of before is missing, or something else has come than months that are like the others */
export function mustBeEqual(before: Set<string>, after: Set<string>): void {
  const missing = [...before].filter((part) => !after.has(part))
  const kinds = new Map<string, Set<string>>()
  for (const part of after) {
    const [month] = part.match(aMonth) ?? []
    if (month) kinds.set(month, (kinds.get(month) ?? new Set()).add(part.replaceAll(aMonth, 'a month')))
  }
  const [usual = new Set()] = [...kinds.values()].toSorted((one, other) => other.size - one.size)
  const unlike = [...kinds].flatMap(([month, parts]) => [
    ...[...usual].filter((part) => !parts.has(part)).map((part) => `${month} lacks: ${part}`),
    ...[...parts].filter((part) => !usual.has(part)).map((part) => `${month} has more: ${part}`),
  ])
  const more = [...after].filter((part) => !before.has(part) && !part.match(aMonth))
  const faults = [...missing.map((part) => `missing: ${part}`), ...more.map((part) => `new: ${part}`), ...unlike]
  if (faults.length > 0) throw new Error(`the catalogue is not as the migration made it:\n${faults.join('\n')}`)
}
