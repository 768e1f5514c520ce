import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { sealAuditEvents } from '#server/platform/audit/sealer.ts'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
})
afterAll(() => portal?.close())

let admin: Client
let home: string
let elsewhere: string
let root: Client
beforeEach(async () => {
  home = (await portal.organization()).organizationId
  elsewhere = (await portal.organization()).organizationId
  const person = await portal.person()
  await portal.join(person.accountId, home, 'organizationAdmin')
  admin = await portal.signedIn(person)
  root = await portal.signedIn(await portal.person({ superUser: true }))
})

let domains = 0
const newDomain = () => `unseen${++domains}.example`
const filters = ['actorFilter', 'targetFilter', 'textFilter']
const sorts = ['createdAt', 'name', 'target', 'actor']
const directions = ['asc', 'desc']

/** Every question about a word, with all that is answered: status, rows in their order, counts, pages, files. */
async function answersAbout(word: string): Promise<unknown[]> {
  const answers: unknown[] = []
  const ask = async (path: string, query: Record<string, string>) => {
    const { statusCode, body } = await admin.get(`${path}?${new URLSearchParams(query)}`)
    answers.push([query, statusCode, withoutIds(body.replaceAll(word, 'WORD'))])
  }
  for (const filter of filters) {
    for (const sort of sorts)
      for (const sortDirection of directions) await ask('/api/audit-events', { [filter]: word, sort, sortDirection })
    await ask('/api/audit-events', { [filter]: word, page: '2' })
    for (const organizationFilter of [home, elsewhere])
      await ask('/api/audit-events', { [filter]: word, organizationFilter })
    await ask('/api/audit-events', { [filter]: `${word} updateuser` })
  }
  return answers.map((answer) => JSON.parse(JSON.stringify(answer).replaceAll(word, 'WORD')))
}
const withoutIds = (body: string) => JSON.parse(body.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""'))

/** A person elsewhere who has done and suffered something, and a member here whose address ends alike. */
async function personElsewhere(domain: string): Promise<string> {
  const email = `anna@${domain}`
  const other = await portal.person({ email, firstName: 'Anna', lastName: 'Ek' })
  await portal.join(other.accountId, elsewhere, 'organizationAdmin')
  const browser = await portal.signedIn(other)
  const colleague = await portal.person()
  await portal.join(colleague.accountId, elsewhere)
  expect((await browser.put('/api/users', { accountId: colleague.accountId, firstName: 'Bo' })).statusCode).toBe(200)
  expect((await root.put('/api/users', { accountId: other.accountId, lastName: 'Alm' })).statusCode).toBe(200)
  return email
}

async function memberHere(domain: string): Promise<void> {
  const { accountId } = await portal.person({ email: `joanna@${domain}`, firstName: 'Joanna', lastName: 'Ek' })
  await portal.join(accountId, home)
  expect((await admin.put('/api/users', { accountId, firstName: 'Johanna' })).statusCode).toBe(200)
}

const ofNobody = async (domain: string) => `anna@${domain}`

test.each([
  ['alone', async () => undefined],
  ['with a member whose address holds it', memberHere],
])('a whole address of somebody elsewhere, %s, is answered like that of nobody', async (_, prepare) => {
  const [known, unknown] = [newDomain(), newDomain()]
  const words: string[] = []
  for (const [domain, make] of [
    [known, personElsewhere],
    [unknown, ofNobody],
  ] as const) {
    await prepare(domain)
    words.push(await make(domain))
  }
  // Each at the same place of the log, so that only what is out of sight differs.
  const answered = async (word: string, domain: string) =>
    JSON.stringify(await answersAbout(word))
      .replaceAll(domain, 'DOMAIN')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
  for (const isSealed of [false, true]) {
    if (isSealed) await sealAuditEvents(portal.system.db)
    const [of, ofNone] = [await answered(words[0] ?? '', known), await answered(words[1] ?? '', unknown)]
    expect(of).toBe(ofNone)
    expect(of.includes('"totalCount":1')).toBe(prepare === memberHere)
  }
})

test('who changed something here for the operator, or from elsewhere, is not found by their address', async () => {
  const email = `root@${newDomain()}`
  const operator = await portal.signedIn(await portal.person({ email, superUser: true }))
  const { accountId } = await portal.person()
  await portal.join(accountId, home)
  expect((await operator.put('/api/users', { accountId, firstName: 'Seen' })).statusCode).toBe(200)
  const { items } = (await admin.get(`/api/audit-events?${new URLSearchParams({ targetIdFilter: accountId })}`)).json()
  expect(items).toMatchObject([{ name: 'updateUser', actor: null }])
  const isOf = (word: string) => (text: string) => text.replaceAll(word.split('@')[1] ?? '', 'DOMAIN')
  const nobody = `root@${newDomain()}`
  expect(isOf(email)(JSON.stringify(await answersAbout(email)))).toBe(
    isOf(nobody)(JSON.stringify(await answersAbout(nobody))),
  )
})

test('what happens elsewhere to a member of two organisations changes no answer about their address', async () => {
  const email = `shared@${newDomain()}`
  const shared = await portal.person({ email })
  await portal.join(shared.accountId, home)
  await portal.join(shared.accountId, elsewhere)
  const before = await answersAbout(email)
  const browser = await portal.signedIn(shared)
  await browser.post('/api/request-password-reset', { email })
  const { serviceId } = await portal.service()
  await portal.offer(elsewhere, serviceId)
  const other = await portal.person()
  await portal.join(other.accountId, elsewhere, 'organizationAdmin')
  const given = await (await portal.signedIn(other)).post(`/api/services/${serviceId}/${elsewhere}/users`, { email })
  expect(given.statusCode, given.body).toBeLessThan(300)
  expect(await answersAbout(email)).toEqual(before)
})

test('a search that takes too long says so alike for somebody elsewhere and for nobody', async () => {
  const email = await personElsewhere(newDomain())
  const owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  try {
    // Takes as long as a statement may.
    for (const table of ['directory', 'audit_events_new']) {
      await owner.query(`begin; lock table ${table}`)
      const answers = await Promise.all(
        [email, `anna@${newDomain()}`].map(async (word) => {
          const { statusCode, body } = await admin.get(`/api/audit-events?${new URLSearchParams({ textFilter: word })}`)
          return [table, statusCode, withoutIds(body)]
        }),
      )
      expect(answers[0]).toEqual([table, 422, expect.objectContaining({ message: 'eventSearchTooSlow' })])
      expect(answers[0]).toEqual(answers[1])
      await owner.query('rollback')
    }
  } finally {
    await owner.end()
  }
})

test('a search of many words uses one connection at a time', async () => {
  const [owner, watcher] = [portal.ownerUrl, portal.ownerUrl].map(
    (connectionString) => new pg.Client({ connectionString }),
  )
  await Promise.all([owner?.connect(), watcher?.connect()])
  try {
    await owner?.query('begin; lock table directory')
    const words = Array.from({ length: 10 }, (_, index) => `q${index}`).join(' ')
    const searching = admin.get(`/api/audit-events?${new URLSearchParams({ textFilter: words })}`)
    // Other tests have databases of their own in the same cluster.
    const ofThisDatabase = `relation = 'directory'::regclass and database = (select oid from pg_database where datname = current_database())`
    const waiting = async () =>
      (await watcher?.query(`select from pg_locks where not granted and ${ofThisDatabase}`))?.rowCount
    const waitsOnce = () => vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0))
    await waitsOnce()
    // All words together have been looked for; now each by itself.
    await owner?.query('rollback; begin; lock table directory')
    await waitsOnce()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await waiting()).toBe(1)
    await owner?.query('rollback')
    expect((await searching).statusCode).toBe(200)
  } finally {
    await Promise.all([owner?.end(), watcher?.end()])
  }
})
