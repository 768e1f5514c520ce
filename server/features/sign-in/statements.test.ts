import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPassword } from '#test/people.ts'
import { servicesOf } from '#test/service.ts'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ NEW_BROWSER_MAIL: 'on' })
})
afterAll(() => portal.close())

/** The statements of the pool while something runs: the first words of each, and whether it is prepared. */
async function statementsDuring(work: () => Promise<unknown>): Promise<{ text: string; prepared: boolean }[]> {
  const seen: { text: string; prepared: boolean }[] = []
  const watched = new Map<pg.PoolClient, pg.PoolClient['query']>()
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    watched.set(client, client.query)
    client.query = ((...given: unknown[]) => {
      const [first] = given as [string | pg.QueryConfig]
      const { text, name } = typeof first === 'string' ? { text: first, name: undefined } : first
      // A timer reads the keys again, and belongs to no sign-in.
      if (/\bfrom "?keys"?/.test(text)) return query(...given)
      seen.push({ text: text.trim().replaceAll(/\s+/g, ' ').slice(0, 60), prepared: name !== undefined })
      return query(...given)
    }) as typeof client.query
  }
  portal.system.pool.on('acquire', watch)
  try {
    await work()
  } finally {
    portal.system.pool.off('acquire', watch)
    for (const [client, query] of watched) client.query = query
  }
  return seen
}

/** Statements that PostgreSQL has planned for their values more often than it tries a new statement: five times. */
async function plannedForEachCall(): Promise<string[]> {
  const clients = await Promise.all(
    Array.from({ length: portal.system.pool.totalCount }, () => portal.system.pool.connect()),
  )
  try {
    const found = await Promise.all(
      clients.map((client) =>
        client.query<{ statement: string }>('select statement from pg_prepared_statements where custom_plans > 5'),
      ),
    )
    return found.flatMap(({ rows }) => rows.map((row) => row.statement.trim().replaceAll(/\s+/g, ' ').slice(0, 60)))
  } finally {
    for (const client of clients) client.release()
  }
}

const rounds = 12

test('a sign-in to the portal asks five statements, also the first one of a person, and none is planned again', async () => {
  for (let round = 0; round < rounds; round++) {
    const { email } = await portal.person()
    const browser = portal.browser()
    const statements = await statementsDuring(async () => {
      const { page } = await openSignIn(browser)
      await submitPassword(browser, page, email)
    })
    expect(statements.filter(({ prepared }) => !prepared)).toEqual([])
    // The begun sign-in counted and stored, its page; the attempt counted with the person and the sign-in, all that is written.
    expect(statements).toHaveLength(5)
  }
  expect(await plannedForEachCall()).toEqual([])
})

test('from a new browser, of which the owner is told, it asks as many', async () => {
  const person = await portal.person()
  await portal.signedIn(person)
  for (let round = 0; round < rounds; round++) {
    portal.advance(24 * 3600)
    const browser = portal.browser()
    const statements = await statementsDuring(async () => {
      const { page } = await openSignIn(browser)
      await submitPassword(browser, page, person.email)
    })
    expect(statements.filter(({ prepared }) => !prepared)).toEqual([])
    expect(statements).toHaveLength(5)
  }
  expect(await plannedForEachCall()).toEqual([])
  const noted = await portal.system.db.selectFrom('newBrowsers').select('signIns').execute()
  expect(noted.length).toBe(rounds)
})

test('a password that the page checks first, for a ticket, plans nothing again either', async () => {
  for (let round = 0; round < rounds; round++) {
    const { email } = await portal.person()
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    const checking = await statementsDuring(() =>
      browser.post('/api/verify-credentials', { email, password: testPassword }),
    )
    const completing = await statementsDuring(() => submitPassword(browser, page, email, ''))
    expect([...checking, ...completing].filter(({ prepared }) => !prepared)).toEqual([])
    // Counted with the person, the ticket; then the ticket, the person, the sign-in, all that is written.
    expect([checking.length, completing.length]).toEqual([2, 4])
  }
  expect(await plannedForEachCall()).toEqual([])
})

test('a sign-in to a service, with its tokens, plans nothing again either', async () => {
  const services = servicesOf(portal)
  const clientId = await services.register()
  // The first one also notes that the service's secret is in use, once an hour.
  await services.signInTo(clientId, await portal.person())
  for (let round = 0; round < rounds; round++) {
    const person = await portal.person()
    const statements = await statementsDuring(() => services.signInTo(clientId, person))
    expect(statements.filter(({ prepared }) => !prepared)).toEqual([])
  }
  expect(await plannedForEachCall()).toEqual([])
})
