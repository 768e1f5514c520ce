import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal.close())

/** An organisation with people whom it opened an account for, who joined, and who are guests. */
async function mixed() {
  const { organizationId } = await portal.organization()
  const people = { opened: await portal.person(), joined: await portal.person(), guest: await portal.person() }
  for (const [entry, { accountId }] of Object.entries(people))
    await portal.join(accountId, organizationId, 'regular', entry as keyof typeof people)
  const samlConfigId = await portal.samlConfig()
  const reaches = async (who: keyof typeof people) => {
    const browser = await portal.signedIn(people[who])
    return (await browser.get(`/api/organizations/${organizationId}`)).statusCode === 200
  }
  const change = (query = '', more: object = {}) =>
    root.put(`/api/organizations${query}`, { organizationId, loginMethod: 'saml', samlConfigId, ...more })
  const count = async (more = '') =>
    (await root.get(`/api/organizations/${organizationId}/locked-out?samlConfigId=${samlConfigId}${more}`)).json().count
  const events = () =>
    portal.system.db
      .selectFrom('auditEvents')
      .selectAll()
      .where('targetId', '=', organizationId)
      .where('name', '=', 'updateOrganization')
      .execute()
  return { organizationId, people, reaches, change, count, events }
}

describe('an organisation that changes to organisation sign-in', () => {
  test('says how many people it would keep out, and waits for a choice', async () => {
    const { change, count, reaches, events } = await mixed()
    expect(await count()).toBe(1)
    expect(await count('&requireLoginMethod=true')).toBe(2)
    const refused = await change()
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'peopleLockedOut'])
    expect(await events()).toEqual([])
    expect(await reaches('joined')).toBe(true)
  })

  test('makes them guests, who go on with their own sign-in, and the event says how many', async () => {
    const { change, count, reaches, events } = await mixed()
    expect((await change('?lockedOut=guests')).statusCode).toBe(200)
    expect(await count()).toBe(0)
    for (const who of ['opened', 'joined', 'guest'] as const) expect(await reaches(who)).toBe(true)
    const [event] = await events()
    expect(event?.changes).toContainEqual({ property: 'madeGuests', previousValue: null, newValue: '1' })
  })

  test('or locks them out, and nobody else', async () => {
    const { change, reaches } = await mixed()
    expect((await change('?lockedOut=stay')).statusCode).toBe(200)
    expect(await reaches('joined')).toBe(false)
    for (const who of ['opened', 'guest'] as const) expect(await reaches(who)).toBe(true)
    // Another change later asks nothing.
    expect((await change('', { name: 'Nyare' })).statusCode).toBe(200)
  })

  test('asks again where it begins to ask everybody', async () => {
    const { change } = await mixed()
    await change('?lockedOut=guests')
    const refused = await change('', { requireLoginMethod: true })
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'peopleLockedOut'])
  })
})
