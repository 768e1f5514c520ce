import pg from 'pg'
import { firstNames, lastNames } from '#server/demo/demo-people.ts'
import type { ScaleCall } from './calls.ts'

/** A kind of request for the audit log. `admin` asks as an organisation's admin. */
export interface AuditCall extends ScaleCall {
  admin?: boolean
  /** Milliseconds that are the goal; without one it is only told. */
  goal?: number
}

/** What finds a person, a thing or an organisation. */
const byOne = new Set([
  'no filter',
  'one actor',
  'one target',
  'a target by id',
  'a service by id',
  'text: one person',
  'an organisation',
  'the largest organisation',
])

/** Every filter, sort and kind of page of the audit log, about this database. */
export async function auditCalls(databaseUrl: string): Promise<AuditCall[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const values = async (statement: string) =>
      (await client.query<{ value: string }>(statement)).rows.map(({ value }) => value)
    const people = await values(`select email as value from users where email ~ '[0-9]@' order by md5(email) limit 500`)
    const ids = await values('select account_id::text as value from users order by md5(email) limit 500')
    const services = await values('select service_id::text as value from services order by md5(name) limit 100')
    const organizations = await values(
      'select organization_id::text as value from organizations order by md5(organization_id::text) limit 200',
    )
    const [large = ''] = await values(
      'select organization_id::text as value from organizations order by member_count desc limit 1',
    )
    const of = <Item>(items: readonly Item[], n: number) => items[n % items.length] as Item
    const ago = (days: number) => new Date(Date.now() - days * 24 * 3600_000).toISOString()
    const filters: Record<string, (n: number) => Record<string, string>> = {
      'no filter': () => ({}),
      changes: () => ({ kindFilter: 'changes' }),
      'sign-ins': () => ({ kindFilter: 'signIns' }),
      'a common event': () => ({ nameFilter: 'loginSuccess' }),
      'a rare event': () => ({ nameFilter: 'updateService' }),
      'an event that never happened': () => ({ nameFilter: 'deleteSamlConfig' }),
      'one actor': (n) => ({ actorFilter: of(people, n) }),
      'actors of a common name': (n) => ({ actorFilter: of(firstNames, n) }),
      'one target': (n) => ({ targetFilter: of(people, n) }),
      'targets of a common name': (n) => ({ targetFilter: of(lastNames, n) }),
      'a target by id': (n) => ({ targetIdFilter: of(ids, n) }),
      'a service by id': (n) => ({ targetIdFilter: of(services, n) }),
      'text: one person': (n) => ({ textFilter: of(people, n) }),
      'text: a common name': (n) => ({ textFilter: of(firstNames, n) }),
      'text: first and last name': (n) => ({ textFilter: `${of(firstNames, n)} ${of(lastNames, n * 3)}` }),
      'text: in every address': () => ({ textFilter: 'example' }),
      'text: nothing': (n) => ({ textFilter: of(['xqz', 'zzx', 'qqjx', 'wxq'], n) }),
      'an organisation': (n) => ({ organizationFilter: of(organizations, n) }),
      'the largest organisation': () => ({ organizationFilter: large }),
      // Within the two years that have events.
      'a day': (n) => ({ from: ago(31 + (n % 600)), until: ago(30 + (n % 600)) }),
      'three months': (n) => ({ from: ago(130 + (n % 600)), until: ago(40 + (n % 600)) }),
      'before a year ago': () => ({ until: ago(365) }),
      'a rare event of an organisation': (n) => ({
        nameFilter: 'inviteUser',
        organizationFilter: of(organizations, n),
      }),
      'a common event of the largest organisation': () => ({ nameFilter: 'loginSuccess', organizationFilter: large }),
      'a rare event, a common name': (n) => ({ nameFilter: 'createUser', textFilter: of(firstNames, n) }),
      'a common event, a common name, a month': (n) => ({
        nameFilter: 'loginSuccess',
        textFilter: of(firstNames, n),
        from: ago(90),
        until: ago(60),
      }),
    }
    const sorts = ['createdAt', 'name', 'actor', 'target']
    const directions = ['desc', 'asc']
    // The seed ends with the last month: the 90 days before are as full as those of a portal that is in use.
    const month = new Date().toISOString().slice(0, 7)
    const period = { from: new Date(Date.parse(`${month}-01`) - 90 * 24 * 3600_000).toISOString() }
    const hasPeriod = (name: string) => /day|month|year/.test(name)
    const path = (query: Record<string, string | number>) =>
      `/api/audit-events?${new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]))}`
    const whole = Object.entries(filters).map(([name, filter]): AuditCall => {
      const call = { name: `events: ${name}`, path: (n: number) => path(filter(n)) }
      return byOne.has(name) ? { ...call, goal: 80 } : call
    })
    const within = Object.entries(filters)
      .filter(([name]) => !hasPeriod(name))
      .map(
        ([name, filter]): AuditCall => ({
          name: `events of 90 days: ${name}, any sort and page`,
          path: (n) =>
            path({
              ...period,
              ...filter(n),
              sort: of(sorts, n),
              sortDirection: of(directions, Math.floor(n / 4)),
              page: of([1, 2, 10, 100, 1000], n),
            }),
          goal: 500,
        }),
      )
    const sorted = ['no filter', 'an organisation', 'the largest organisation'].map(
      (name): AuditCall => ({
        name: `events: ${name}, by actor or target`,
        path: (n) =>
          path({
            ...filters[name]?.(n),
            sort: of(['actor', 'target'], n),
            sortDirection: of(directions, Math.floor(n / 2)),
          }),
        goal: 2000,
      }),
    )
    const asAdmin = (calls: readonly AuditCall[]) =>
      calls.map((call): AuditCall => ({ ...call, name: `an admin's ${call.name}`, admin: true }))
    const calls = [...whole, ...within, ...sorted]
    return [...calls, ...asAdmin(calls)]
  } finally {
    await client.end()
  }
}
