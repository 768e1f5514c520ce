import type pg from 'pg'

/** The words that names are made of, all from the demo. */
export interface Words {
  firstNames: readonly string[]
  lastNames: readonly string[]
  organizations: readonly string[]
  services: readonly string[]
}

/** What everything is computed from. */
export interface Seed {
  organizations: number
  words: Words
  /** The moment of the seed, the same on every connection. */
  at: Date
}

const plain = (word: string) =>
  word
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/**
 * Who the nth person is, and where: computed from the number, so that no row is looked up and each table can be filled
 * beside the others. Temporary functions, which end with the connection; the words stand in them as constants.
 */
export async function createFunctions(client: pg.Client, { organizations, words, at }: Seed): Promise<void> {
  const pick = (list: readonly string[], index: string) =>
    `(array[${list.map((word) => client.escapeLiteral(word)).join(', ')}])[1 + ((${index}) % ${list.length})::integer]`
  const [first, last] = ['n + n / 131', 'n * 2654435761 / 1000']
  const named = (list: readonly string[]) => ({ name: pick(list, 'n'), plain: pick(list.map(plain), 'n') })
  const [organization, service] = [named(words.organizations), named(words.services)]
  // Not immutable, as `||` of a number is not: PostgreSQL would call each of them as a function, ten times slower.
  const inlined = (head: string, type: string, body: string) =>
    `create function pg_temp.${head} returns ${type} language sql stable as $$ select ${body} $$;`
  await client.query(
    [
      // A UUIDv7: keys in the order of the numbers.
      inlined(
        'seed_id(kind integer, n bigint)',
        'uuid',
        `(lpad(to_hex(1767225600000 + n), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' ||
          substr(md5(kind || ' ' || n), 1, 15))::uuid`,
      ),
      inlined('seeded_at()', 'timestamptz', `${client.escapeLiteral(at.toISOString())}::timestamptz`),
      inlined(
        'seen(n bigint)',
        'timestamptz',
        `${client.escapeLiteral(at.toISOString())}::timestamptz - (n % 3600) * interval '1 hour'`,
      ),
      inlined('first_name(n bigint)', 'text', pick(words.firstNames, first)),
      inlined('last_name(n bigint)', 'text', pick(words.lastNames, last)),
      inlined(
        'plain_name(n bigint)',
        'text',
        `${pick(words.firstNames.map(plain), first)} || '.' || ${pick(words.lastNames.map(plain), last)}`,
      ),
      inlined('organization_name(n bigint)', 'text', `${organization.name} || ' ' || n`),
      inlined(
        'organization_number(n bigint)',
        'text',
        `'556' || lpad((n / 10000)::text, 3, '0') || '-' || lpad((n % 10000)::text, 4, '0')`,
      ),
      inlined('mail_domain(n bigint)', 'text', `${organization.plain} || n || '.example'`),
      inlined(
        'email(n bigint)',
        'text',
        `pg_temp.plain_name(n) || n || '@' || pg_temp.mail_domain(1 + n % ${organizations})`,
      ),
      inlined('service_name(n bigint)', 'text', `${service.name} || ' ' || n`),
      inlined('plain_service_name(n bigint)', 'text', service.plain),
      // As `places` has them, without a subquery for each event.
      inlined(
        'place_ids(n bigint)',
        'uuid[]',
        `case when n % 10 = 5 and ${organizations} > 1
            then array[pg_temp.seed_id(1, 1 + n % ${organizations}), pg_temp.seed_id(1, 1 + (n + 1) % ${organizations})]
          when n % 50 = 7 and n % ${organizations} > 0
            then array[pg_temp.seed_id(1, 1 + n % ${organizations}), pg_temp.seed_id(1, 1)]
          else array[pg_temp.seed_id(1, 1 + n % ${organizations})] end`,
      ),
      `create function pg_temp.places(n bigint) returns table (o bigint, user_role text, entry text) language sql stable as $$
        select 1 + n % ${organizations}, case when n < ${organizations} then 'organizationAdmin' else 'regular' end, 'opened'
        union all
        select 1 + (n + 1) % ${organizations}, 'regular', 'joined' where n % 10 = 5 and ${organizations} > 1
        union all
        select 1, 'regular', 'joined' where n % 50 = 7 and n % ${organizations} > 0 $$;`,
    ].join('\n'),
  )
}
