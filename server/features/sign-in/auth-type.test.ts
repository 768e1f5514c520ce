import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp({ LIMIT_AUTH_TYPE: '1000/60' })
})
afterAll(() => portal.close())

const authType = async (email: string) =>
  (await portal.browser().get(`/api/authType?${new URLSearchParams({ email })}`)).json()

describe('the login method of an address', () => {
  test("is the person's own method, and whether there is a phone", async () => {
    const { email } = await portal.person({ loginMethod: 'local2FA', phoneNumber: '+46701740605' })
    expect(await authType(email)).toEqual({ authType: 'local2FA', hasPhoneNumber: true })
    expect(await authType(email.toUpperCase())).toEqual({ authType: 'local2FA', hasPhoneNumber: true })
    const other = await portal.person({ loginMethod: 'bankid' })
    expect(await authType(other.email)).toEqual({ authType: 'bankid', hasPhoneNumber: false })
  })

  test('is the same for pending and passive people', async () => {
    const pending = await portal.person({ loginMethod: 'local2FA', pending: true })
    const passive = await portal.person({ loginMethod: 'local2FA', passive: true })
    expect((await authType(pending.email)).authType).toBe('local2FA')
    expect((await authType(passive.email)).authType).toBe('local2FA')
  })

  test('is that of a colleague for an unknown address', async () => {
    const { organizationId } = await portal.organization('Havsvik', 'bankid')
    const colleague = await portal.person({ email: 'first@havsvik.test.example', loginMethod: 'bankid' })
    await portal.join(colleague.accountId, organizationId)
    expect((await authType('nobody@havsvik.test.example')).authType).toBe('bankid')
    expect((await authType('nobody@other.test.example')).authType).toBe('local')
  })

  test("is never a company's sign-in because of somebody with the same mail domain", async () => {
    const { organizationId, samlConfigId } = await portal.organization('Hostile', 'saml')
    const friend = { email: 'friend@freemail.example', loginMethod: 'saml' as const, samlConfigId }
    await portal.join((await portal.person(friend)).accountId, organizationId)
    expect((await authType('friend@freemail.example')).authType).toBe('saml')
    expect((await authType('stranger@freemail.example')).authType).toBe('local')
    expect((await authType('stranger@sub.freemail.example')).authType).toBe('local')
    // Nor because it waits for a proof of the domain.
    await portal.system.db
      .insertInto('samlDomains')
      .values({ samlConfigId: samlConfigId ?? 0, domain: 'freemail.example', token: 'a', addedAt: portal.now() })
      .execute()
    expect((await authType('stranger@freemail.example')).authType).toBe('local')
  })

  test('is decided by most organisations with people of that mail domain, not by the one that invites the most', async () => {
    const invite = async (organizationId: string, loginMethod: 'bankid' | 'local', count: number) => {
      for (let index = 0; index < count; index++) {
        const email = `${organizationId}-${index}@many.test.example`
        await portal.join((await portal.person({ email, loginMethod })).accountId, organizationId)
      }
    }
    const stranger = async () => (await authType('stranger@many.test.example')).authType
    const [first, hostile, third] = [
      await portal.organization(),
      await portal.organization(),
      await portal.organization(),
    ]
    await invite(first.organizationId, 'local', 1)
    await invite(hostile.organizationId, 'bankid', 8)
    expect(await stranger()).toBe('local')
    await invite(third.organizationId, 'bankid', 1)
    expect(await stranger()).toBe('bankid')
  })

  test("is the company's sign-in for an unknown address in its domain or below it", async () => {
    await portal.samlConfig('https://fjallra.example')
    expect((await authType('nobody@fjallra.example')).authType).toBe('saml')
    expect((await authType('nobody@mail.fjallra.example')).authType).toBe('saml')
    expect((await authType('nobody@notfjallra.example')).authType).toBe('local')
    expect((await authType('nobody@fjallra.example.evil.example')).authType).toBe('local')
  })

  test('gives an unknown address a made-up but constant answer about the phone', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => authType(`nobody${index}@unknown.example`)),
    )
    const phones = answers.filter(({ hasPhoneNumber }) => hasPhoneNumber).length
    expect(phones).toBeGreaterThan(5)
    expect(phones).toBeLessThan(35)
    expect(await authType('nobody7@unknown.example')).toEqual(answers[7])
  })

  test('requires a valid address', async () => {
    const browser = portal.browser()
    for (const query of [
      '',
      '?email=',
      '?email=nobody',
      '?email=a@b.se&email=c@d.se',
      '?email=a@b.se&x=1',
      '?email=%00@b.se',
    ])
      expect([query, (await browser.get(`/api/authType${query}`)).statusCode]).toEqual([query, 422])
  })
})

test('one IP address may ask thirty times a minute', async () => {
  const limited = await testApp()
  try {
    const browser = limited.browser()
    const statuses = []
    for (let count = 1; count <= 31; count++)
      statuses.push((await browser.get(`/api/authType?email=nobody${count}@unknown.example`)).statusCode)
    expect(statuses).toEqual([...Array(30).fill(200), 429])
    limited.advance(61)
    expect((await browser.get('/api/authType?email=nobody@unknown.example')).statusCode).toBe(200)
  } finally {
    await limited.close()
  }
})
