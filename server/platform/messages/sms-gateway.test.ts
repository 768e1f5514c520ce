import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { type SmsGateway, startSmsGateway } from '#simulators/sms-gateway.ts'
import type { Sms, SmsFailure } from './sms.ts'
import { createElks } from './sms-46elks.ts'
import type { SmsAccount } from './sms-gateway.ts'
import { createSmsFromSettings } from './sms-provider.ts'
import { createTwilio } from './sms-twilio.ts'

const username = 'AC0123456789abcdef0123456789abcdef'
const password = 'p4ss-of-the-API:with å'
const to = '+46701740605'
const text = '048213 är din inloggningskod. 👋\n\n@portal.vestibule.example #048213'

let gateway: SmsGateway
beforeAll(async () => {
  gateway = await startSmsGateway({ username, password })
})
afterAll(() => gateway.close())

const failure = async (sending: Promise<void>) => {
  const error = await sending.then(
    () => undefined,
    (thrown: SmsFailure) => thrown,
  )
  if (error?.name !== 'SmsFailure') throw new Error(`no SmsFailure but ${error}`)
  return error
}

describe.each([
  ['46elks', createElks],
  ['Twilio', createTwilio],
] as const)('%s', (name, create) => {
  const account = (changes: Partial<SmsAccount> = {}): SmsAccount => ({
    url: gateway.url,
    username,
    password,
    from: 'Vestibule',
    ...changes,
  })
  const sms = (changes?: Partial<SmsAccount>): Sms => create(account(changes))
  let before = 0
  beforeEach(() => {
    before = gateway.taken.length
  })
  const newlyTaken = () => gateway.taken.slice(before)

  it('takes a message with its sender, recipient and every character of its text', async () => {
    await sms().send({ to, text })
    expect(newlyTaken()).toMatchObject([{ gateway: name.toLowerCase(), from: 'Vestibule', to, text }])
  })

  it('gets the fields that it documents and no others', async () => {
    await sms().send({ to, text })
    const fields = { '46elks': ['from', 'message', 'to'], Twilio: ['Body', 'From', 'To'] }
    expect(Object.keys(newlyTaken()[0]?.form ?? {}).sort()).toEqual(fields[name])
  })

  it('refuses a wrong password for good', async () => {
    const error = await failure(sms({ password: 'wrong' }).send({ to, text }))
    expect(error.retry).toBe(false)
    expect(error.message).toContain(`${name} answered 401`)
    expect(newlyTaken()).toEqual([])
  })

  it('rejects an invalid number permanently, and the reason does not quote it', async () => {
    const error = await failure(sms().send({ to: '46701740605', text }))
    expect(error.retry).toBe(false)
    expect(error.message).toContain(`${name} answered 400: `)
    expect(error.message).not.toContain('740605')
  })

  it.each([429, 408, 500, 502, 503])('may be tried again after %i', async (status) => {
    gateway.failNext({ status, headers: { 'retry-after': '7' } })
    expect(await failure(sms().send({ to, text }))).toMatchObject({ retry: true, retryAfter: 7 })
    await sms().send({ to, text })
    expect(newlyTaken()).toHaveLength(1)
  })

  it.each([400, 402, 403, 404])('is final with %i', async (status) => {
    gateway.failNext({ status })
    expect(await failure(sms().send({ to, text }))).toMatchObject({ retry: false, retryAfter: undefined })
  })

  it.each([302, 307, 308])('is not followed elsewhere with %i, where the credentials would go', async (status) => {
    const elsewhere = await startSmsGateway({ username, password })
    const path = name === '46elks' ? '/a1/sms' : `/2010-04-01/Accounts/${username}/Messages.json`
    gateway.failNext({ status, headers: { location: `${elsewhere.url}${path}` } })
    const error = await failure(sms().send({ to, text }))
    await elsewhere.close()
    expect(error).toMatchObject({ retry: false, message: `${name} answered ${status}` })
    expect(elsewhere.taken).toEqual([])
  })

  it('may be tried again when it is silent for longer than the time-out', async () => {
    // A separate gateway: on a slow machine the request may arrive late, and would affect the next test.
    const silent = await startSmsGateway({ username, password })
    silent.failNext('silence')
    const error = await failure(sms({ url: silent.url, timeout: 50 }).send({ to, text }))
    await silent.close()
    expect(error).toMatchObject({ retry: true, message: `${name} did not answer in time` })
  })

  it('may be tried again when it hangs up, or when nothing listens', async () => {
    gateway.failNext('hang up')
    expect(await failure(sms().send({ to, text }))).toMatchObject({ retry: true })
    const gone = await startSmsGateway({ username, password })
    await gone.close()
    expect(await failure(sms({ url: gone.url }).send({ to, text }))).toMatchObject({ retry: true })
  })

  it('lets go when the sender gives up', async () => {
    const giveUp = new AbortController()
    const sending = failure(sms().send({ to, text, signal: giveUp.signal }))
    giveUp.abort()
    expect(await sending).toMatchObject({ retry: true, message: `${name} was given up` })
    expect(newlyTaken()).toEqual([])
  })

  it.each(['<h1>Welcome to the hotel wifi</h1>', '{}', 'null'])(
    'is not taken at its word for a 200 with %s',
    async (body) => {
      gateway.failNext({ status: 200, body })
      expect(await failure(sms().send({ to, text }))).toMatchObject({ retry: false })
    },
  )

  it('tells no password, code or number in any failure', async () => {
    const echo = `${username} ${password} ${to} ${text}`
    const faults = [
      { status: 500, body: echo },
      { status: 400, body: JSON.stringify({ code: 21211, message: echo }) },
      { status: 200, body: echo },
      'hang up' as const,
    ]
    for (const fault of faults) {
      gateway.failNext(fault)
      const error = await failure(sms().send({ to, text }))
      const told = `${error.stack} ${JSON.stringify(error)} ${error.cause}`
      for (const secret of [password, to, '048213']) expect(told).not.toContain(secret)
    }
  })
})

describe('46elks', () => {
  it('is tried again when it says itself that a message failed', async () => {
    gateway.failNext({ status: 200, body: JSON.stringify({ id: 's1', status: 'failed' }) })
    const elks = createElks({ url: gateway.url, username, password, from: 'Vestibule' })
    expect(await failure(elks.send({ to, text }))).toMatchObject({ retry: true })
  })
})

describe('Twilio', () => {
  it('sends through a messaging service where the sender names one', async () => {
    const from = 'MG0123456789abcdef0123456789abcdef'
    await createTwilio({ url: gateway.url, username, password, from }).send({ to, text })
    expect(gateway.taken.at(-1)?.form).toMatchObject({ MessagingServiceSid: from })
    expect(gateway.taken.at(-1)?.form).not.toHaveProperty('From')
  })

  it("names Twilio's own code of a refusal", async () => {
    const twilio = createTwilio({ url: gateway.url, username, password, from: 'Vestibule' })
    expect((await failure(twilio.send({ to: '+4', text }))).message).toBe('Twilio answered 400: error 21211')
  })
})

describe('the settings', () => {
  const settings = (more: Record<string, string>) =>
    readConfig({ SMS_URL: gateway.url, SMS_USERNAME: username, SMS_PASSWORD: password, ...more })

  it.each(['46elks', 'twilio'] as const)('choose %s', async (provider) => {
    await createSmsFromSettings(settings({ SMS_PROVIDER: provider, SMS_FROM: 'Nordvik' }))?.send({ to, text })
    expect(gateway.taken.at(-1)).toMatchObject({ gateway: provider, from: 'Nordvik' })
  })

  it('choose none where no gateway is named', () => {
    expect(createSmsFromSettings(settings({}))).toBeUndefined()
  })

  it('must hold the credentials of the gateway that they name', () => {
    expect(() => createSmsFromSettings(settings({ SMS_PROVIDER: '46elks', SMS_PASSWORD: '' }))).toThrow('SMS_PASSWORD')
  })
})
