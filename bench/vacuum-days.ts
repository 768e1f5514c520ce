import type pg from 'pg'

/** A table whose rows expire, with what the bench does to it. The statements have the shape of the portal's own. */
export interface Kind {
  table: string
  key: string
  /** Days for which rows are kept after they have expired, and the longest time for which one lives. */
  keptDays: number
  livesDays: number
  /** With the turn, the sign-ins of an hour and its beginning; returns ids. */
  insert(table: string): string
  /** With the turn and the time. */
  use(table: string): string
  /** With the id. */
  lookup(table: string): string
}

const id = (name: string) => `sha256(convert_to(${name} || ':' || $1::text || ':' || n, 'UTF8'))`

/** What a sign-in to a service leaves: an interaction, a grant, a code that is used up, and a token. */
const artifacts: Kind = {
  table: 'provider_artifacts',
  key: 'model, id_hash',
  keptDays: 1,
  livesDays: 1,
  insert: (table) => `
    insert into ${table} (model, id_hash, payload, grant_id, created_at, expires_at)
    select model, ${id('model')}, jsonb_build_object('kind', model, 'clientId', 'a-client', 'text', repeat('x', bytes)),
      case when model <> 'Interaction' then 'grant:' || $1::text || ':' || n end, moment, moment + lives
    from generate_series(1, $2::integer) n,
      lateral (select $3::timestamptz + n * interval '1 hour' / $2::integer as moment) m,
      (values ('Interaction', 500, interval '1 hour'), ('Grant', 150, interval '12 hours'),
        ('AuthorizationCode', 400, interval '1 minute'), ('AccessToken', 300, interval '15 minutes')) as left_behind (model, bytes, lives)
    returning case when model = 'Grant' then id_hash end as id`,
  use: (table) => `update ${table} set consumed_at = $2
    where model = 'AuthorizationCode' and expires_at >= $2 and expires_at <= $2::timestamptz + interval '61 minutes'
      and consumed_at is null and $1::text is not null`,
  lookup: (table) =>
    `select payload, expires_at as "expiresAt", consumed_at as "consumedAt" from ${table} where model = 'Grant' and id_hash = $1`,
}

/** What signing in leaves: a ticket and, for every second one, a code. */
const things: Kind = {
  table: 'one_time_things',
  key: 'purpose, token_hash',
  keptDays: 7,
  livesDays: 1,
  insert: (table) => `
    insert into ${table} (purpose, token_hash, subject, data, created_at, expires_at)
    select purpose, ${id('purpose')}, 'person' || n % 5000, '{"a": "value"}', moment, moment + interval '10 minutes'
    from generate_series(1, $2::integer) n,
      lateral (select $3::timestamptz + n * interval '1 hour' / $2::integer as moment) m,
      (values ('signInTicket'), ('signInCode')) as left_behind (purpose)
    where purpose = 'signInTicket' or n % 2 = 0
    returning case when purpose = 'signInTicket' then token_hash end as id`,
  use: (table) => `update ${table} set consumed_at = $2, attempts_left = 0
    where expires_at >= $2 and expires_at <= $2::timestamptz + interval '70 minutes' and created_at >= $2 and $1::text is not null`,
  lookup: (table) => `select subject, data from ${table} where purpose = 'signInTicket' and token_hash = $1`,
}

export const kinds: readonly Kind[] = [artifacts, things]

/** The same table in partitions by the day on which a row expires. */
export const byDay = (table: string): string => `${table}_by_day`

/** Makes the partitioned tables. Their key needs the day as well, so that no index holds an id to be there once. */
export async function makeDays(owner: pg.Client): Promise<void> {
  for (const { table, key } of kinds) {
    await owner.query(`create table ${byDay(table)} (like ${table} including defaults) partition by range (expires_at)`)
    await owner.query(`alter table ${byDay(table)} add primary key (${key}, expires_at)`)
    const others =
      table === 'provider_artifacts'
        ? ['(grant_id) where grant_id is not null', '(expires_at)']
        : ['(purpose, subject)', '(expires_at)']
    for (const columns of others) await owner.query(`create index on ${byDay(table)} ${columns}`)
  }
}

const day = 24 * 3600_000
const dayOf = (date: Date) => date.toISOString().slice(0, 10)
const partOf = (table: string, date: Date) => `${byDay(table)}_d${dayOf(date).replaceAll('-', '')}`

/** Makes the partitions for the rows of a day. */
export async function partitions(owner: pg.Client, now: Date): Promise<void> {
  for (const { table, livesDays } of kinds)
    for (let ahead = 0; ahead <= livesDays + 1; ahead++) {
      const from = new Date(now.getTime() + ahead * day)
      await owner.query(`create table if not exists ${partOf(table, from)} partition of ${byDay(table)}
        for values from ('${dayOf(from)}Z') to ('${dayOf(new Date(from.getTime() + day))}Z')`)
    }
}

/** Drops the days of which nothing is kept. */
export async function dropOldDays(owner: pg.Client, now: Date): Promise<void> {
  for (const { table, keptDays } of kinds) {
    const until = new Date(now.getTime() - (keptDays + 1) * day)
    const { rows } = await owner.query(
      'select relname from pg_class where relispartition and relkind = $2 and relname like $1',
      [`${byDay(table)}_d%`, 'r'],
    )
    for (const { relname } of rows) if (relname <= partOf(table, until)) await owner.query(`drop table ${relname}`)
  }
}
