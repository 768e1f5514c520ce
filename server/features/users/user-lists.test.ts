import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UserSummary } from '#contract/users/user-summary.ts'
import type { Client } from '#test/client.ts'
import type { Person } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
let rootPerson: Person

beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  rootPerson = await portal.person({ email: 'root@operator.example', firstName: 'Root', superUser: true })
  root = await portal.signedIn(rootPerson)
})
afterAll(() => portal?.close())

interface Paged {
  itemsPerPage: number
  totalCount: number
  items: UserSummary[]
}
const list = async (client: Client, url: string, query: Record<string, string> = {}): Promise<Paged> => {
  const response = await client.get(`${url}?${new URLSearchParams(query)}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const emails = ({ items }: Paged) => items.map((item) => item.email)
const search = async (searchQuery: string) => emails(await list(root, '/api/users', { searchQuery }))

describe('searching all users', () => {
  beforeAll(async () => {
    await portal.person({ email: 'asa@search.example', firstName: 'Åsa', lastName: 'Öberg' })
    await portal.person({ email: 'per_cent@search.example', firstName: '100%', lastName: 'Under_score' })
    await portal.person({ email: 'back@search.example', firstName: 'Back\\slash', lastName: "O'Hara" })
    const member = await portal.person({ email: 'member@search.example', firstName: 'Malin', lastName: 'Medlem' })
    const { organizationId } = await portal.organization('Kvarnholmens Verkstad')
    await portal.system.db
      .updateTable('organizations')
      .set({ organizationNumber: '556677-8899' })
      .where('organizationId', '=', organizationId)
      .execute()
    await portal.join(member.accountId, organizationId)
    // With statistics, words are sought by what is rare in them.
    const owner = new pg.Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    await owner.query('analyze directory')
    await owner.end()
  })

  test.each([
    ['åsa', 'asa@search.example'],
    ['ÅSA', 'asa@search.example'],
    ['åsa'.normalize('NFD'), 'asa@search.example'],
    ['öb', 'asa@search.example'],
    ['öberg åsa', 'asa@search.example'],
    ['%', 'per_cent@search.example'],
    ['r_s', 'per_cent@search.example'],
    ['\\', 'back@search.example'],
    ["o'h", 'back@search.example'],
    ['per_cent@', 'per_cent@search.example'],
    ['kvarnholm', 'member@search.example'],
    ['556677-88', 'member@search.example'],
    ['malin verkstad', 'member@search.example'],
    ['member@search.example', 'member@search.example'],
  ])('%s finds one person', async (typed, email) => {
    expect(await search(typed)).toEqual([email])
  })

  test.each(['asa öberg nobody', 'åsb', 'xqz', "''", '_%', 'malin öberg', ':*', '& |'])(
    '%s finds no one',
    async (typed) => {
      expect(await search(typed)).toEqual([])
    },
  )

  test('whitespace alone is no search, and lists all users', async () => {
    expect((await list(root, '/api/users', { searchQuery: '  ' })).totalCount).toBeGreaterThan(4)
  })

  test('two words find each person once: as first and last name, in both orders, and anywhere else', async () => {
    const at = (name: string) => `${name}@twowords.example`
    await portal.person({ email: at('by.name'), firstName: 'Signe', lastName: 'Dunker' })
    await portal.person({ email: at('same.name'), firstName: 'SIGNE', lastName: 'Dunkersson' })
    await portal.person({ email: at('turned'), firstName: 'Dunker', lastName: 'Signe' })
    await portal.person({ email: at('two.names'), firstName: 'Signe Maria', lastName: 'Dunker' })
    await portal.person({ email: at('signe.dunker'), firstName: 'Sigrid', lastName: 'Dahl' })
    await portal.person({ email: at('dunker.signe'), firstName: 'Signe', lastName: 'Dunker' })
    await portal.person({ email: at('half'), firstName: 'Signe', lastName: 'Dahl' })
    const member = await portal.person({ email: at('member'), firstName: 'Signe', lastName: 'Ek' })
    const { organizationId } = await portal.organization('Dunkers Skola')
    await portal.join(member.accountId, organizationId)
    const all = ['by.name', 'dunker.signe', 'member', 'same.name', 'signe.dunker', 'turned', 'two.names'].map(at)
    for (const typed of ['signe dunker', 'Dunker  SIGNE', 'signe dunk', 'dunk signe', 'signe dun'])
      expect(await search(typed), typed).toEqual(all)
    expect((await list(root, '/api/users', { searchQuery: 'signe dunker' })).totalCount).toBe(all.length)
    expect(await search('signe dunkersson')).toEqual([at('same.name')])
    expect(await search('signe dunker twowords')).toEqual(all)
    expect(await search('signe si')).toEqual([...all, at('half')].sort())
    const turned = await list(root, '/api/users', {
      searchQuery: 'signe dunker',
      sort: 'lastName',
      sortDirection: 'desc',
    })
    expect(emails(turned).slice(0, 2)).toEqual([at('turned'), at('member')])
    const long = 'långtnamn'.repeat(11)
    await portal.person({ email: at('long'), firstName: long, lastName: `${long.toUpperCase()}x` })
    expect(await search(`${long} ${long}x`.slice(0, 200))).toEqual([at('long')])
  })

  test('a renamed person is immediately found by the new name, and not by the old one', async () => {
    const { accountId } = await portal.person({ email: 'renamed@search.example', firstName: 'Gammelnamn' })
    expect(await search('gammelnamn')).toEqual(['renamed@search.example'])
    expect((await root.put('/api/users', { accountId, firstName: 'Nynamn' })).statusCode).toBe(200)
    expect(await search('gammelnamn')).toEqual([])
    expect(await search('nynamn')).toEqual(['renamed@search.example'])
  })

  test('renaming or leaving an organisation updates the search for its people', async () => {
    const { accountId, email } = await portal.person()
    const { organizationId } = await portal.organization('Tidigare Namnet')
    await portal.join(accountId, organizationId)
    expect(await search('tidigare')).toEqual([email])
    const renamed = { organizationId, name: 'Numera Detta', loginMethod: 'local' }
    expect((await root.put('/api/organizations', renamed)).statusCode).toBe(200)
    expect(await search('tidigare')).toEqual([])
    expect(await search('numera')).toEqual([email])
    expect((await root.delete(`/api/users/${accountId}/organization/${organizationId}`)).statusCode).toBe(204)
    expect(await search('numera')).toEqual([])
  })

  test('cached counts are updated when a person is added or removed', async () => {
    for (let number = 0; number < 12; number++)
      await portal.person({ email: `common${number}@search.example`, firstName: 'Vanligen' })
    const count = async () => (await list(root, '/api/users', { searchQuery: 'vanligen' })).totalCount
    expect([await count(), await count()]).toEqual([12, 12])
    const { accountId } = await portal.person({ email: 'common@search.example', firstName: 'Vanligen' })
    expect(await count()).toBe(13)
    expect((await root.delete(`/api/users/${accountId}`)).statusCode).toBe(204)
    expect(await count()).toBe(12)
  })
})

describe('sorting and paging', () => {
  const names = ['Zeta', 'Örn', 'Ärla', 'Åke', 'adam', 'Bertil', 'Örn', 'Åke', 'Zeta', 'Wille', 'Vera']
  let organizationId: string

  beforeAll(async () => {
    ;({ organizationId } = await portal.organization('Sorteringen'))
    for (const [index, lastName] of names.entries()) {
      const { accountId } = await portal.person({ email: `sort${index}@sort.example`, lastName })
      await portal.join(accountId, organizationId)
    }
  })

  const pages = async (url: string, query: Record<string, string>) => {
    const all: UserSummary[] = []
    for (let page = 1; ; page++) {
      const { items, totalCount } = await list(root, url, { ...query, page: String(page) })
      expect(totalCount).toBe(names.length)
      if (items.length === 0) return all
      all.push(...items)
    }
  }

  test.each([
    ['/api/users', { searchQuery: '@sort.example' }],
    ['the organisation', {}],
    ['the organisation', { searchQuery: 'sort' }],
  ])('%s sorts å, ä and ö after z, in both directions, and repeats and skips no one', async (where, query) => {
    const url = where === 'the organisation' ? `/api/organizations/${organizationId}/users` : where
    const up = await pages(url, { ...query, sort: 'lastName' })
    expect(up.map((item) => item.lastName)).toEqual([
      'adam',
      'Bertil',
      'Vera',
      'Wille',
      'Zeta',
      'Zeta',
      'Åke',
      'Åke',
      'Ärla',
      'Örn',
      'Örn',
    ])
    expect(new Set(up.map((item) => item.accountId)).size).toBe(names.length)
    const down = await pages(url, { ...query, sort: 'lastName', sortDirection: 'desc' })
    expect(down.map((item) => item.accountId)).toEqual(up.map((item) => item.accountId).reverse())
  })

  test('a page past the end has no people and the true count', async () => {
    const { items, totalCount } = await list(root, `/api/organizations/${organizationId}/users`, { page: '99' })
    expect({ items, totalCount }).toEqual({ items: [], totalCount: names.length })
  })

  test('the far pages of a long list are those that are counted from its beginning', async () => {
    const long = await portal.organization('Den långa')
    await portal.system.db.transaction().execute(async (db) => {
      await sql`
        insert into users (account_id, email, first_name, last_name, login_method)
        select gen_random_uuid(), 'long' || lpad(n::text, 4, '0') || '@long.example', 'Lång', 'Lista', 'local'
        from generate_series(1, 1203) as n`.execute(db)
      await sql`
        insert into memberships (account_id, organization_id, entry)
        select account_id, ${long.organizationId}, 'opened' from users where email like '%@long.example'`.execute(db)
    })
    const url = `/api/organizations/${long.organizationId}/users`
    const at = async (page: number) => emails(await list(root, url, { page: String(page) }))
    const expected = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `long${String(from + index).padStart(4, '0')}@long.example`)
    expect(await at(55)).toEqual(expected(541, 550))
    expect(await at(61)).toEqual(expected(601, 610))
    expect(await at(120)).toEqual(expected(1191, 1200))
    expect(await at(121)).toEqual(expected(1201, 1203))
    expect(await at(122)).toEqual([])
  }, 60_000)
})

describe('what a list shows', () => {
  test('an organisation admin sees neither the other organisation of a shared person nor its services', async () => {
    const [home, other] = [await portal.organization('Hemma'), await portal.organization('Främmande')]
    const [ours, theirs] = [await portal.service('Vår tjänst'), await portal.service('Deras tjänst')]
    await portal.offer(home.organizationId, ours.serviceId)
    await portal.offer(other.organizationId, theirs.serviceId)
    const shared = await portal.person({ firstName: 'Delad' })
    for (const [place, service] of [
      [home, ours],
      [other, theirs],
    ] as const) {
      await portal.join(shared.accountId, place.organizationId)
      await portal.assign(shared.accountId, place.organizationId, service.serviceId)
    }
    const admin = await portal.person()
    await portal.join(admin.accountId, home.organizationId, 'organizationAdmin')
    const client = await portal.signedIn(admin)
    const url = `/api/organizations/${home.organizationId}/users`
    const { items } = await list(client, url, { searchQuery: 'delad' })
    expect(items).toMatchObject([{ organizations: [{ name: 'Hemma' }], services: [{ name: 'Vår tjänst' }] }])
    // They cannot request it either.
    expect((await list(client, url, { searchQuery: 'främmande' })).totalCount).toBe(0)
    const everywhere = await list(root, '/api/users', { searchQuery: 'delad' })
    expect(everywhere.items[0]?.services.map((one) => one.name)).toEqual(['Deras tjänst', 'Vår tjänst'])
  })

  test('a search among the people of a service immediately reflects who got it and who lost it', async () => {
    const { organizationId } = await portal.organization()
    const { serviceId } = await portal.service()
    await portal.offer(organizationId, serviceId)
    const { accountId, email } = await portal.person({ firstName: 'Tillfällig' })
    await portal.join(accountId, organizationId)
    const url = `/api/services/${serviceId}/${organizationId}/users`
    const found = async () => emails(await list(root, url, { searchQuery: 'tillfällig' }))
    expect(await found()).toEqual([])
    expect((await root.post(url, { email })).statusCode).toBe(204)
    expect(await found()).toEqual([email])
    expect((await root.delete(`${url}/${accountId}`)).statusCode).toBe(204)
    expect(await found()).toEqual([])
  })

  test('a service admin sees who has the service, and of their services only that one', async () => {
    const { organizationId } = await portal.organization()
    const [mine, secret] = [await portal.service('Min'), await portal.service('Hemlig')]
    for (const { serviceId } of [mine, secret]) await portal.offer(organizationId, serviceId)
    const [admin, colleague, outsider] = [await portal.person(), await portal.person(), await portal.person()]
    for (const { accountId } of [admin, colleague, outsider]) await portal.join(accountId, organizationId)
    await portal.assign(admin.accountId, organizationId, mine.serviceId, 'serviceAdmin')
    await portal.assign(colleague.accountId, organizationId, mine.serviceId)
    await portal.assign(colleague.accountId, organizationId, secret.serviceId)
    await portal.assign(outsider.accountId, organizationId, secret.serviceId)
    const client = await portal.signedIn(admin)
    const page = await list(client, `/api/services/${mine.serviceId}/${organizationId}/users`)
    expect(page.totalCount).toBe(2)
    expect(emails(page).sort()).toEqual([admin.email, colleague.email].sort())
    expect(JSON.stringify(page)).not.toContain('Hemlig')
    expect((await client.get(`/api/services/${secret.serviceId}/${organizationId}/users`)).statusCode).toBe(404)
    expect((await client.get(`/api/organizations/${organizationId}/users`)).statusCode).toBe(403)
  })
})
