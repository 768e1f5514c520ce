import pg from 'pg'
import { firstNames, lastNames } from '#server/demo/demo-people.ts'

/** One kind of request; `path(n)` is the nth of them, so that none is measured that was just asked. */
export interface ScaleCall {
  name: string
  path: (n: number) => string
  /** Of a call that posts. */
  post?: { headers: Record<string, string>; body: (n: number) => unknown }
}

const query = (path: string, values: Record<string, string | number>) =>
  `${path}?${new URLSearchParams(Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]))}`

/** Every list, search and sort of the administration, about this database. */
export async function scaleCalls(databaseUrl: string): Promise<ScaleCall[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const values = async (statement: string) =>
      (await client.query<{ value: string }>(statement)).rows.map(({ value }) => value)
    const people = await values(
      `select email as value from users where email ~ '[0-9]@' order by md5(account_id::text) limit 500`,
    )
    const organizations = await values(
      `select organization_id::text as value from organizations order by md5(organization_id::text) limit 200`,
    )
    const [large = ''] = await values(
      `select organization_id::text as value from organizations order by member_count desc limit 1`,
    )
    const [group = ''] = await values(
      `select group_id::text as value from group_members group by 1 order by count(*) desc, 1 limit 1`,
    )
    const groups = await values(`select group_id::text as value from groups order by md5(group_id::text) limit 200`)
    const roles = await values('select role_id::text as value from organization_roles order by name limit 50')
    const [withRoles = ''] = await values('select organization_id::text as value from organization_roles limit 1')
    const offers = await values(
      `select service_id || '/' || organization_id as value from organization_services where seats_used > 0
       order by md5(service_id::text || organization_id) limit 200`,
    )
    const services = await values(
      `select service_id::text as value from organization_services group by 1 order by md5(service_id::text) limit 200`,
    )
    const [counts = '1'] = await values('select count(*)::text as value from users')
    const lastPage = Math.ceil(Number(counts) / 10)
    const of = <Item>(items: readonly Item[], n: number) => items[n % items.length] as Item
    const users = (more: Record<string, string | number>) => () => query('/api/users', more)
    const sorts = ['email', 'firstName', 'lastName'] as const
    const day = (ago: number) => new Date(Date.now() - ago * 24 * 3600_000).toISOString().slice(0, 10)
    const filters: Record<string, (n: number) => Record<string, string>> = {
      'who is active': () => ({ status: 'active' }),
      'who is passive': () => ({ status: 'passive' }),
      'who is invited': () => ({ status: 'pending' }),
      'a sign-in method': () => ({ loginMethod: 'local' }),
      'the super users': () => ({ role: 'superUser' }),
      'the admins': () => ({ role: 'organizationAdmin' }),
      'the service admins': () => ({ role: 'serviceAdmin' }),
      readers: () => ({ role: 'reader' }),
      'an organisation': (n) => ({ organizationId: of(organizations, n) }),
      'a service': (n) => ({ serviceId: of(services, n) }),
      'last active before': (n) => ({ lastActiveBefore: day(30 + (n % 100)) }),
      'passive and last active before': (n) => ({ status: 'passive', lastActiveBefore: day(30 + (n % 100)) }),
    }
    const nothing = ['xqz', 'zzx', 'qqj', 'wxq', 'jjq', 'zxw', 'qzx']
    return [
      ...sorts.map((sort) => ({ name: `everybody by ${sort}`, path: users({ sort }) })),
      { name: 'everybody by lastName, descending', path: users({ sort: 'lastName', sortDirection: 'desc' }) },
      { name: 'everybody, page 50', path: users({ page: 50 }) },
      { name: 'everybody, last page', path: users({ page: lastPage }) },
      { name: 'everybody, search with one match', path: (n) => users({ searchQuery: of(people, n) })() },
      { name: 'everybody, three letters that match nothing', path: (n) => users({ searchQuery: of(nothing, n) })() },
      { name: 'everybody, a common name', path: (n) => users({ searchQuery: of(firstNames, n) })() },
      {
        name: 'everybody, a common name by lastName',
        path: (n) =>
          users({ searchQuery: of(lastNames, n), sort: 'lastName', sortDirection: n % 2 ? 'desc' : 'asc' })(),
      },
      {
        name: 'everybody, first and last name',
        path: (n) => users({ searchQuery: `${of(firstNames, n)} ${of(lastNames, n * 3)}` })(),
      },
      ...Object.entries(filters).map(([name, filter]) => ({
        name: `everybody, filtered: ${name}`,
        path: (n: number) => users({ ...filter(n), sort: of(sorts, n) })(),
      })),
      {
        name: 'everybody, filtered: active, a common name',
        path: (n) => users({ status: 'active', searchQuery: of(firstNames, n) })(),
      },
      ...sorts.map((sort) => ({
        name: `an organisation by ${sort}`,
        path: (n: number) => query(`/api/organizations/${of(organizations, n)}/users`, { sort }),
      })),
      {
        name: 'an organisation, a common name',
        path: (n) => query(`/api/organizations/${of(organizations, n)}/users`, { searchQuery: of(firstNames, n) }),
      },
      {
        name: 'the largest organisation by lastName',
        path: (n) => query(`/api/organizations/${large}/users`, { sort: 'lastName', page: 1 + (n % 5) }),
      },
      {
        name: 'the largest organisation, a common name',
        path: (n) => query(`/api/organizations/${large}/users`, { searchQuery: of(firstNames, n) }),
      },
      ...Object.entries(filters)
        .filter(([, filter]) => !('organizationId' in filter(0) || filter(0).role === 'superUser'))
        .map(([name, filter]) => ({
          name: `the largest organisation, filtered: ${name}`,
          path: (n: number) => query(`/api/organizations/${large}/users`, { ...filter(n), sort: of(sorts, n) }),
        })),
      {
        name: 'a service in an organisation',
        path: (n) => query(`/api/services/${of(offers, n)}/users`, { sort: of(sorts, n) }),
      },
      {
        name: 'a service in an organisation, three letters that match nothing',
        path: (n) => query(`/api/services/${of(offers, n)}/users`, { searchQuery: of(nothing, n) }),
      },
      {
        name: 'the organisation with 50 roles, filtered: a role of its own',
        path: (n) => query(`/api/organizations/${withRoles}/users`, { role: of(roles, n), sort: of(sorts, n) }),
      },
      { name: 'the organisation with 50 roles: its roles', path: () => `/api/organizations/${withRoles}/roles` },
      { name: 'groups of an organisation', path: (n) => `/api/organizations/${of(organizations, n)}/groups` },
      { name: 'people of a group', path: (n) => `/api/groups/${of(groups, n)}/members` },
      {
        name: 'people of the largest group',
        path: (n) => query(`/api/groups/${group}/members`, { page: 1 + (n % 3) }),
      },
      { name: 'organisations by name', path: (n) => query('/api/organizations', { page: 1 + (n % 3) }) },
      {
        name: 'organisations by number, descending',
        path: () => query('/api/organizations', { sort: 'organizationNumber', sortDirection: 'desc' }),
      },
      {
        name: 'organisations, search with one match',
        path: (n) => query('/api/organizations', { searchQuery: `556000-0${100 + (n % 90)}` }),
      },
      { name: 'organisations, nothing', path: (n) => query('/api/organizations', { searchQuery: of(nothing, n) }) },
      { name: 'organisations, a common word', path: () => query('/api/organizations', { searchQuery: 'nordvik' }) },
      { name: 'services', path: (n) => query('/api/services', { sort: n % 2 ? 'url' : 'name' }) },
      { name: 'how many people have each service', path: () => '/api/service-people' },
    ]
  } finally {
    await client.end()
  }
}
