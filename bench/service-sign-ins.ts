import pg from 'pg'
import type { BenchBrowser } from './browser.ts'
import { authorizationQuery, codeIn, type ServiceSide } from './service-client.ts'

/** A person with a service. */
export const email = 'user@nordvik.example'
export const password = 'Demo-password-1'

/**
 * People like the one of the demo, each with the same service: a tenth session of one person would end the oldest, and
 * tell services of it.
 */
export async function addPeople(databaseUrl: string, count: number): Promise<string[]> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const copies = async (table: string, change: string) => {
    const { rows } = await database.query<{ names: string }>(
      `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    const names = rows[0]?.names ?? ''
    await database.query(
      `insert into ${table} (${names}) select ${names} from (
        select (jsonb_populate_record(t, ${change})).* from ${table} t, generate_series(1, $2::integer) n
        where account_id = (select account_id from users where email = $1)) as copies`,
      [email, count],
    )
  }
  const id = `'account_id', md5('bench' || n)::uuid`
  await copies(
    'users',
    `jsonb_build_object(${id}, 'email', 'user-' || n || '@nordvik.example', 'ssn_sealed', null, 'ssn_index', null)`,
  )
  await copies('memberships', `jsonb_build_object(${id})`)
  await database.query('update organization_services set max_number_of_users = null')
  await copies('service_assignments', `jsonb_build_object(${id})`)
  await database.end()
  return Array.from({ length: count }, (_, index) => `user-${index + 1}@nordvik.example`)
}

export async function signInTo(browser: BenchBrowser, service: ServiceSide, email: string): Promise<string> {
  const follow = async (address: string | undefined, isEnd: (path: string) => boolean) => {
    let at = address ?? ''
    for (let steps = 0; steps < 10 && !isEnd(at) && !codeIn(at); steps++) at = (await browser.get(at)) ?? ''
    return at
  }
  const page = await follow(`/oidc/auth?${authorizationQuery(service)}`, (path) => path.startsWith('/interaction/'))
  await browser.get(page)
  const sent = await browser.submit(`${page.split('?', 1)[0]}/login`, { email, login: email, password })
  const end = await follow(sent, () => false)
  const code = codeIn(end)
  if (!code) throw new Error(`the sign-in to the service ended at ${end}`)
  return code
}
