import { describe, expect, test, vi } from 'vitest'
import type { BankidState } from '#contract/sign-in/bankid.ts'
import { portalWithBankId } from '#test/bankid.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { openSignIn } from '#test/sign-in.ts'
import { traceChanges } from '#test/traces.ts'
import { consumeCompleted } from './orders.repository.ts'

const { portal, bankid } = await portalWithBankId()
const { customer, isSignedIn, newNumber } = bankid
const events = (label: string) =>
  portal.system.db.selectFrom('auditEvents').selectAll().where('target', '=', label).orderBy('id').execute()
const names = async (label: string) => (await events(label)).map(({ name }) => name)
const queryOf = (location: unknown) => Object.fromEntries(new URL(String(location), 'http://portal.test').searchParams)
const refused = { error: 'bankIdRefused' }

describe('a person with BankID', () => {
  test('signs in with the QR code, and reaches the requested page', async () => {
    const { email, accountId, ssn } = await customer()
    const signIn = await bankid.begin(email, { startAt: '/login?returnTo=%2Faccount' })
    expect(signIn.begun).toMatchObject({ status: 'pending', message: 'rfa1', phoneApp: '/dev/bankid' })
    const id = bankid.scan(await signIn.state())
    portal.advance(2)
    expect(await signIn.state()).toMatchObject({
      status: 'pending',
      message: 'rfa9',
      qrData: null,
      autoStartToken: null,
    })
    portal.bankid.orders.identify(id, { personalNumber: ssn, givenName: 'Åsa', surname: 'Öberg' })
    portal.advance(2)
    expect(await signIn.state()).toMatchObject({ status: 'complete', qrData: null })
    const ended = await signIn.complete()
    expect([ended.statusCode, ended.headers.location]).toEqual([303, '/account'])
    expect((await signIn.browser.get('/api/me')).json()).toMatchObject({ email, accountId })
    const [event, ...more] = await events(email)
    expect([event?.name, event?.actorId, event?.changes, more]).toEqual([
      'loginSuccess',
      accountId,
      traceChanges('bankid'),
      [],
    ])
  })

  test('signs in with the app on the same device', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email, { device: 'this' })
    expect(signIn.begun.message).toBe('rfa13')
    const order = portal.bankid.orders.autostart(signIn.begun.autoStartToken ?? '')
    portal.advance(2)
    expect((await signIn.state('opened')).message).toBe('rfa15a')
    const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' }
    expect((await signIn.browser.get(`${signIn.page}/bankid?opened=yes`, phone)).json().message).toBe('rfa15b')
    const person = { personalNumber: ssn, givenName: 'Åsa', surname: 'Öberg' }
    const led = portal.bankid.orders.identify(order?.id ?? '', person)
    portal.advance(2)
    const back = await signIn.browser.get(led?.goTo?.replace('http://portal.test', '') ?? '')
    const page = `${signIn.page}/login?${new URLSearchParams({ email })}#bankid`
    expect([back.statusCode, back.headers.location]).toEqual([303, page])
    expect((await signIn.state('opened')).status).toBe('complete')
    expect((await signIn.complete()).headers.location).toBe('/')
  })

  test('sees in the app where they sign in', async () => {
    const { email } = await customer()
    await bankid.begin(email)
    expect(portal.bankid.orders.waiting()[0]?.text).toBe('Du loggar in hos Vestibule.')
  })

  test('sees a new code each second', async () => {
    const { email } = await customer()
    const { state, begun } = await bankid.begin(email)
    const seconds = [begun]
    for (let second = 0; second < 3; second++) {
      portal.advance(1)
      seconds.push(await state())
    }
    expect(seconds.map(({ qrData }) => qrData?.split('.')[2])).toEqual(['0', '1', '2', '3'])
    expect(new Set(seconds.map(({ qrData }) => qrData?.split('.')[3])).size).toBe(4)
  })

  test('has a session that says how it was proven', async () => {
    const { email, ssn } = await customer()
    const { browser, location } = await bankid.signIn(email, ssn)
    expect(location).toBe('/')
    const { payload } = await portal.system.db
      .selectFrom('sessions')
      .select('payload')
      .where('accountId', '=', (await browser.get('/api/me')).json().accountId)
      .executeTakeFirstOrThrow()
    expect(payload).toMatchObject({ amr: ['swk', 'mfa'] })
  })

  test('signs in over the session of another person in the same browser, which ends', async () => {
    const other = await portal.person()
    const { email, ssn } = await customer()
    const browser = await portal.signedIn(other)
    const { location } = await bankid.signIn(email, ssn, { browser, startAt: '/login?prompt=login' })
    await browser.follow(await browser.get(location))
    expect((await browser.get('/api/me')).json()).toMatchObject({ email })
  })

  test('can sign in despite wrong passwords', async () => {
    const { email, ssn } = await customer()
    for (let attempt = 0; attempt < 25; attempt++)
      await portal.browser().post('/api/verify-credentials', { email, password: 'wrong' })
    expect((await bankid.signIn(email, ssn)).location).toBe('/')
  })

  test('may change phone and personal number within 10 minutes of signing in, and not later', async () => {
    const { email, ssn } = await customer()
    const { browser } = await bankid.signIn(email, ssn)
    const number = newNumber()
    const change = (body: object) => browser.put('/api/profile', body)
    portal.advance(9 * 60)
    expect((await change({ phoneNumber: '+46701740605' })).statusCode).toBe(200)
    expect((await change({ ssn: number })).statusCode).toBe(200)
    portal.advance(2 * 60)
    const late = await change({ phoneNumber: '+46701740606' })
    expect([late.statusCode, late.json().message]).toEqual([403, 'freshProofRequired'])
    // The reverse: the first person again.
    const again = await bankid.signIn(email, number, { browser, startAt: '/login?prompt=login' })
    await browser.follow(await browser.get(again.location))
    expect((await change({ phoneNumber: '+46701740606' })).statusCode).toBe(200)
  })
})

describe('sign-in is refused', () => {
  async function refusal(email: string, number: string, scenario?: Parameters<typeof bankid.identify>[2]) {
    const signIn = await bankid.begin(email)
    const { status } = await bankid.identify(signIn, number, scenario)
    const { statusCode, headers, body } = await signIn.complete()
    expect(await isSignedIn(signIn.browser)).toBe(false)
    const location = String(headers.location).replace(signIn.uid, 'uid').replace(encodeURIComponent(email), 'email')
    return { status, statusCode, location, body }
  }
  const alike = {
    status: 'complete',
    statusCode: 303,
    location: '/interaction/uid/login?email=email&error=bankIdRefused',
    body: '',
  }

  test('with the BankID of another person', async () => {
    const [{ email }, other] = [await customer(), await customer()]
    expect(await refusal(email, other.ssn)).toEqual(alike)
    expect([await names(email), await names(other.email)]).toEqual([['loginFailure'], []])
  })

  test('for an unknown address, without revealing that', async () => {
    const { email } = await customer()
    const shape = async (address: string) => {
      const { begun, state } = await bankid.begin(address)
      const hide = (given: object) => JSON.stringify(given).replaceAll(/[0-9a-f]{64}|[0-9a-f-]{36}/g, '…')
      return [hide(begun), hide(await state())]
    }
    expect(await shape('nobody@havsvik.example')).toEqual(await shape(email))
    expect(await refusal('nobody@havsvik.example', newNumber())).toEqual(alike)
    const [event] = await events('nobody@havsvik.example')
    expect([event?.name, event?.targetId, event?.changes]).toEqual(['loginFailure', null, traceChanges('bankid')])
  })

  test('when the number is not known yet', async () => {
    const { email } = await portal.person({ loginMethod: 'bankid', ssn: 'placeholder-17' })
    expect(await refusal(email, newNumber())).toEqual(alike)
    const none = await portal.person({ loginMethod: 'bankid' })
    expect(await refusal(none.email, newNumber())).toEqual(alike)
  })

  test('when BankID finds it too risky', async () => {
    const { email, ssn } = await customer()
    expect(await refusal(email, ssn, 'highRisk')).toEqual(alike)
    expect(await names(email)).toEqual(['loginFailure'])
    expect((await bankid.signIn(email, ssn)).location).toBe('/')
  })

  test.each(['local', 'local2FA'] as const)('for an account that signs in with %s', async (loginMethod) => {
    const { email, ssn } = await customer({ loginMethod })
    expect(await refusal(email, ssn)).toEqual(alike)
  })

  test('for a passive person, who gets a mail that explains why, once a day', async () => {
    const { email, ssn } = await customer({ passive: true })
    const { mailsTo } = invitationsOf(portal)
    expect(await refusal(email, newNumber())).toEqual(alike)
    expect(await mailsTo(email)).toEqual([])
    for (let attempt = 0; attempt < 2; attempt++) expect(await refusal(email, ssn)).toEqual(alike)
    expect((await mailsTo(email)).map(({ template }) => template)).toEqual(['refused-passive'])
    expect(await names(email)).toEqual(['loginFailure', 'loginFailure', 'loginFailure'])
  })

  test('for an invited person who has not accepted', async () => {
    const { browser, organizationId } = await invitationsOf(portal).organizationWithAdmin('bankid')
    const email = newEmail()
    await invite(browser, organizationId, email)
    expect(await refusal(email, newNumber())).toEqual(alike)
    const [, failed] = await events(email)
    expect([failed?.name, failed?.targetId, failed?.changes]).toEqual(['loginFailure', null, traceChanges('bankid')])
  })

  test('with a password in place of BankID', async () => {
    const { email } = await customer()
    expect((await portal.browser().post('/api/verify-credentials', { email, password: 'x' })).statusCode).toBe(401)
  })
})

describe('a person who accepted an invitation', () => {
  async function accepted(loginMethod: 'bankid' | 'saml' = 'bankid') {
    const invites = invitationsOf(portal)
    const { browser, organizationId } = await invites.organizationWithAdmin(loginMethod)
    const email = newEmail()
    const ssn = newNumber()
    await invite(browser, organizationId, email)
    await invites.acceptWithSsn(email, await invites.mailedToken(email), loginMethod, ssn)
    return { email, ssn, browser, organizationId, invites }
  }
  const user = (email: string) =>
    portal.system.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

  test('gets an active account with the first matching sign-in, and its event says so', async () => {
    const { email, ssn } = await accepted()
    const { pending, version } = await user(email)
    expect(pending).toBe(true)
    const { browser } = await bankid.signIn(email, ssn)
    expect((await browser.get('/api/me')).json()).toMatchObject({ email })
    expect(await user(email)).toMatchObject({ pending: false, version: version + 1, lastLogin: portal.now() })
    const [success] = (await events(email)).filter(({ name }) => name === 'loginSuccess')
    expect(success?.changes).toEqual([
      { property: 'pending', previousValue: 'true', newValue: 'false' },
      ...traceChanges('bankid'),
    ])
    await bankid.signIn(email, ssn)
    const [, second] = (await events(email)).filter(({ name }) => name === 'loginSuccess')
    expect(second?.changes).toEqual(traceChanges('bankid'))
  })

  test('cannot sign in with the BankID of another person, and stays pending', async () => {
    const { email } = await accepted()
    const { location } = await bankid.signIn(email, newNumber())
    expect(queryOf(location)).toMatchObject(refused)
    expect(await user(email)).toMatchObject({ pending: true })
  })

  test('cannot sign in after a new invitation was sent: the number may have been wrong', async () => {
    const { email, ssn, browser, organizationId } = await accepted()
    portal.advance(300)
    expect((await browser.post('/api/invites/resend-invite', { email, organizationId })).statusCode).toBe(204)
    expect(queryOf((await bankid.signIn(email, ssn)).location)).toMatchObject(refused)
  })

  test('cannot sign in when the invitation is withdrawn while they identify', async () => {
    const { email, ssn } = await accepted()
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, ssn)
    const executor = portal.system.db.getExecutor()
    const { executeQuery } = executor
    const spy = vi.spyOn(executor, 'executeQuery').mockImplementation(async (query) => {
      // The person has been read, and nothing is written yet.
      if (query.sql.includes('insert into audit_events')) {
        spy.mockRestore()
        await portal.system.db.deleteFrom('users').where('email', '=', email).execute()
      }
      return executeQuery.call(executor, query)
    })
    await signIn.complete()
    expect(await isSignedIn(signIn.browser)).toBe(false)
    expect((await names(email)).filter((name) => name === 'loginSuccess')).toEqual([])
  })

  test('can sign in with BankID if a super user has set it as the login method since', async () => {
    const { email, ssn } = await accepted('saml')
    await portal.system.db.updateTable('users').set({ loginMethod: 'bankid' }).where('email', '=', email).execute()
    expect((await bankid.signIn(email, ssn)).location).toBe('/')
  })

  test('cannot sign in with BankID once the account has another login method', async () => {
    const { email, ssn } = await accepted()
    await portal.system.db.updateTable('users').set({ loginMethod: 'local' }).where('email', '=', email).execute()
    expect(queryOf((await bankid.signIn(email, ssn)).location)).toMatchObject(refused)
  })
})

describe('an order belongs to the browser that began it', () => {
  test('another browser cannot see, end or complete it', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, ssn)
    const thief = portal.browser()
    await openSignIn(thief)
    expect((await thief.get(`${signIn.page}/bankid`)).statusCode).toBe(404)
    expect((await bankid.start(thief, signIn.page, email)).statusCode).toBe(404)
    expect((await thief.post(`${signIn.page}/bankid/cancel`, {})).statusCode).toBe(404)
    const answer = await thief.submit(`${signIn.page}/bankid`, { email })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/login?${new URLSearchParams({ email })}`])
    expect(await isSignedIn(thief)).toBe(false)
    expect((await signIn.complete()).headers.location).toBe('/')
  })

  test('no response contains server-side secrets', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    const order = portal.bankid.orders.waiting()[0]
    const answers = [JSON.stringify(signIn.begun), JSON.stringify(await signIn.state())]
    answers.push(JSON.stringify(await bankid.identify(signIn, ssn)))
    for (const secret of [order?.orderRef, order?.qrStartSecret, ssn]) {
      expect(secret).toMatch(/./)
      expect(answers.join()).not.toContain(secret)
      expect(JSON.stringify(portal.logged)).not.toContain(secret)
    }
    const stored = await portal.system.db.selectFrom('oneTimeThings').select('data').execute()
    for (const secret of [order?.orderRef, order?.qrStartSecret, order?.qrStartToken, ssn])
      expect(JSON.stringify(stored)).not.toContain(secret)
    const fields = ['autoStartToken', 'device', 'message', 'phoneApp', 'qrData', 'status']
    expect(Object.keys(signIn.begun).sort()).toEqual(fields)
  })

  test('a sign-in that is over begins again', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email, { startAt: '/login?returnTo=%2Faccount' })
    await bankid.identify(signIn, ssn)
    portal.advance(2 * 3600)
    expect((await signIn.browser.get(`${signIn.page}/bankid`)).statusCode).toBe(404)
    expect((await bankid.start(signIn.browser, signIn.page, email)).statusCode).toBe(404)
    const { url } = await signIn.browser.follow(await signIn.complete())
    expect(url).toMatch(/^\/interaction\/[\w-]+/)
    expect(url).not.toContain(signIn.uid)
  })

  test('two tabs of a browser do not disturb each other', async () => {
    const { email, ssn } = await customer()
    const browser = portal.browser()
    const [one, two] = [await bankid.begin(email, { browser }), await bankid.begin(email, { browser })]
    expect(one.uid).not.toBe(two.uid)
    await bankid.identify(two, ssn)
    expect((await one.state()).status).toBe('pending')
    expect((await two.complete()).headers.location).toBe('/')
    // The older tab has nothing to post yet, and may be used as well.
    expect((await one.complete()).headers.location).toBe(one.page)
    await bankid.identify(one, ssn)
    expect((await browser.follow(await one.complete())).url).toBe('/')
    expect(await isSignedIn(browser)).toBe(true)
  })
})

describe('a completed order', () => {
  test('signs in once, even when its form is posted concurrently', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, ssn)
    const answers = await Promise.all(Array.from({ length: 5 }, signIn.complete))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303, 303, 303])
    expect(answers.filter(({ headers }) => headers.location === '/')).toHaveLength(1)
    expect(await names(email)).toEqual(['loginSuccess'])
    const again = await signIn.browser.follow(await signIn.complete())
    expect([again.url, await names(email)]).toEqual(['/', ['loginSuccess']])
  })

  test('makes another page of this browser wait while the sign-in completes, for at most ten seconds', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, ssn)
    // As the form does first of all.
    expect(await consumeCompleted(portal.system.db, signIn.uid, portal.now())).toBeDefined()
    expect(await signIn.state()).toMatchObject({ status: 'pending', message: 'rfa21', qrData: null })
    portal.advance(10)
    expect(await signIn.state()).toMatchObject({ status: 'failed', message: 'rfa3' })
  })

  test('keeps no data about the person', async () => {
    const { email, ssn } = await customer()
    await bankid.signIn(email, ssn)
    const cancelled = await bankid.begin(email)
    await cancelled.browser.post(`${cancelled.page}/bankid/cancel`, {})
    const kept = await portal.system.db
      .selectFrom('oneTimeThings')
      .select(['subject', 'data'])
      .where('purpose', '=', 'bankidOrder')
      .orderBy('createdAt', 'desc')
      .limit(2)
      .execute()
    expect(kept).toEqual([
      { subject: '', data: {} },
      { subject: '', data: {} },
    ])
  })

  test('cannot be used for another sign-in, or after two minutes', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, ssn)
    portal.advance(121)
    const late = await signIn.complete()
    expect(late.headers.location).toBe(signIn.page)
    expect([await isSignedIn(signIn.browser), await names(email)]).toEqual([false, []])
  })

  test('is polled once, even when many requests in two processes ask for it', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    const other = await portal.anotherNode()
    const elsewhere = other.browser()
    for (const [name, value] of Object.entries(signIn.browser.cookies(signIn.page))) elsewhere.setCookie(name, value)
    const { collect } = portal.bankid.bankid
    let asked = 0
    const othersAnswered = Promise.withResolvers<void>()
    portal.bankid.bankid.collect = async (orderRef) => {
      // BankID answers only after the other requests have got their answer, or have asked too.
      if (asked++ > 0) othersAnswered.resolve()
      await othersAnswered.promise
      return collect(orderRef)
    }
    try {
      portal.bankid.orders.identify(bankid.scan(await signIn.state()), {
        personalNumber: ssn,
        givenName: 'Å',
        surname: 'Ö',
      })
      portal.advance(2)
      let answered = 0
      const looks = [signIn.browser, elsewhere, signIn.browser, elsewhere].map(async (one) => {
        const answer = await one.get(`${signIn.page}/bankid`)
        if (++answered === 3) othersAnswered.resolve()
        return answer
      })
      expect((await Promise.all(looks)).every(({ statusCode }) => statusCode === 200)).toBe(true)
      expect(asked).toBe(1)
      expect((await signIn.state()).status).toBe('complete')
      expect(asked).toBe(1)
    } finally {
      portal.bankid.bankid.collect = collect
      await other.close()
    }
    expect((await signIn.complete()).headers.location).toBe('/')
  })
})

describe('an order that no app opens', () => {
  test('is silently renewed until three minutes are over', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    const orderIn = ({ qrData }: BankidState) => qrData?.split('.')[1]
    let order = orderIn(signIn.begun)
    for (let round = 1; round <= 6; round++) {
      portal.advance(29)
      expect(orderIn(await signIn.state())).toBe(order)
      portal.advance(2)
      const renewed = await signIn.state()
      if (round === 6) {
        expect(renewed).toMatchObject({ status: 'failed', message: 'rfa17b', qrData: null })
        break
      }
      expect(renewed).toMatchObject({ status: 'pending', message: 'rfa1' })
      expect(orderIn(renewed)).not.toBe(order)
      expect(renewed.qrData?.split('.')[2]).toBe('0')
      order = orderIn(renewed)
    }
    const again = (await bankid.start(signIn.browser, signIn.page, email)).json()
    bankid.scan(again)
    portal.bankid.orders.identify(portal.bankid.orders.waiting()[0]?.id ?? '', {
      personalNumber: ssn,
      givenName: 'Å',
      surname: 'Ö',
    })
    expect(again.status).toBe('pending')
  })

  test('on this device is not renewed once the link was followed: there is no app', async () => {
    const { email } = await customer()
    const signIn = await bankid.begin(email, { device: 'this' })
    portal.advance(31)
    expect(await signIn.state('opened')).toMatchObject({ status: 'failed', message: 'rfa17a' })
  })

  test('on this device is renewed too if the link was not followed, and ends without a hint about the app', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email, { device: 'this' })
    portal.advance(31)
    const begun = await signIn.state()
    expect(begun).toMatchObject({ status: 'pending', device: 'this', message: 'rfa13', qrData: null })
    expect(begun.autoStartToken).not.toBe(signIn.begun.autoStartToken)
    await signIn.browser.get(bankid.identifyHere({ ...signIn, begun }, ssn))
    expect((await signIn.complete()).headers.location).toBe(signIn.page)
    expect((await signIn.state()).status).toBe('complete')
    expect((await signIn.complete()).headers.location).toBe('/')

    const unopened = await bankid.begin(email, { device: 'this' })
    for (let round = 0; round < 5; round++) {
      portal.advance(31)
      expect((await unopened.state()).status).toBe('pending')
    }
    portal.advance(31)
    expect(await unopened.state()).toMatchObject({ status: 'failed', message: 'rfa3' })
  })
})

describe('a person who cancels', () => {
  test('on the page closes the app too, and can begin again', async () => {
    const { email, ssn } = await customer()
    const signIn = await bankid.begin(email)
    const id = bankid.scan(signIn.begun)
    expect((await signIn.browser.post(`${signIn.page}/bankid/cancel`, {})).statusCode).toBe(204)
    expect(portal.bankid.orders.opened(id)).toBeUndefined()
    expect(await signIn.state()).toMatchObject({ status: 'failed', message: 'rfa3' })
    expect((await signIn.browser.post(`${signIn.page}/bankid/cancel`, {})).statusCode).toBe(204)
    await bankid.start(signIn.browser, signIn.page, email)
    await bankid.identify(signIn, ssn)
    expect((await signIn.complete()).headers.location).toBe('/')
  })

  test.each([
    ['userCancel', 'rfa6'],
    ['cancelled', 'rfa3'],
    ['certificateErr', 'rfa16'],
    ['facialRecognitionFailed', 'rfa27'],
    ['transactionRiskBlocked', 'rfa22'],
    ['somethingThatFailsLater', 'rfa22'],
    ['constructor', 'rfa22'],
  ])('or fails in the app with %s sees the message %s', async (hintCode, message) => {
    const { email } = await customer()
    const signIn = await bankid.begin(email)
    portal.bankid.orders.fail(bankid.scan(signIn.begun), hintCode)
    portal.advance(2)
    expect(await signIn.state()).toMatchObject({ status: 'failed', message })
    expect(queryOf((await signIn.complete()).headers.location)).toEqual({})
    expect(await names(email)).toEqual([])
  })

  test('starts a new order, and the app closes the previous one', async () => {
    const { email } = await customer()
    const signIn = await bankid.begin(email)
    const id = bankid.scan(signIn.begun)
    await bankid.start(signIn.browser, signIn.page, email)
    expect(portal.bankid.orders.opened(id)).toBeUndefined()
  })
})

test('an unknown future status of BankID counts as pending', async () => {
  const { email, ssn } = await customer()
  const signIn = await bankid.begin(email)
  expect(await bankid.identify(signIn, ssn, 'unknownHint')).toMatchObject({ status: 'pending', message: 'rfa21' })
  portal.advance(6)
  expect((await signIn.state()).status).toBe('complete')
})

describe('when BankID fails', () => {
  const troubles = [
    ['maintenance', { status: 503, errorCode: 'Maintenance' }],
    ['an error of its own', { status: 500, errorCode: 'internalError' }],
    ['too many questions', { status: 429, errorCode: 'tooManyRequests' }],
    ['a time-out of its own', { status: 408, errorCode: 'requestTimeout' }],
    ['a connection that ends', { status: 'cut' }],
  ] as const

  test.each(troubles)('a short failure (%s) is not visible to the user', async (_, trouble) => {
    const { email, ssn } = await customer()
    portal.bankid.breaks.auth.push(trouble)
    const signIn = await bankid.begin(email)
    expect(signIn.begun).toMatchObject({ status: 'pending', message: 'rfa13', qrData: null })
    portal.advance(2)
    const begun = await signIn.state()
    expect(begun).toMatchObject({ status: 'pending', message: 'rfa1' })
    const id = bankid.scan(begun)
    portal.bankid.orders.trouble(id, trouble, trouble)
    portal.bankid.orders.identify(id, { personalNumber: ssn, givenName: 'Åsa', surname: 'Öberg' })
    for (let look = 0; look < 2; look++) {
      portal.advance(2)
      expect((await signIn.state()).status).toBe('pending')
    }
    portal.advance(2)
    expect((await signIn.state()).status).toBe('complete')
    expect((await signIn.complete()).headers.location).toBe('/')
  })

  test.each(troubles)('a long failure (%s) is shown, and a retry can continue', async (_, trouble) => {
    const { email, ssn } = await customer()
    portal.bankid.breaks.auth.push(trouble, trouble, trouble)
    const signIn = await bankid.begin(email)
    portal.advance(2)
    expect((await signIn.state()).status).toBe('pending')
    portal.advance(2)
    expect(await signIn.state()).toMatchObject({ status: 'failed', message: 'rfa5', qrData: null })
    expect((await bankid.start(signIn.browser, signIn.page, email)).json()).toMatchObject({ status: 'pending' })
    await bankid.identify(signIn, ssn)
    expect((await signIn.complete()).headers.location).toBe('/')
  })

  test('another open order of the same person is reported', async () => {
    const { email } = await customer()
    portal.bankid.breaks.auth.push({ status: 400, errorCode: 'alreadyInProgress' })
    expect((await bankid.begin(email)).begun).toMatchObject({ status: 'failed', message: 'rfa4' })
  })

  test('a rejected certificate is logged', async () => {
    const { email } = await customer()
    portal.bankid.breaks.auth.push({ status: 401, errorCode: 'unauthorized' })
    expect((await bankid.begin(email)).begun).toMatchObject({ status: 'failed', message: 'rfa5' })
    expect(portal.logged.some(({ msg, level }) => msg === 'BankID refused a call' && level === 'error')).toBe(true)
  })
})

test('one IP address may start thirty orders a minute', async () => {
  const { email } = await customer()
  const { browser, page } = await bankid.begin(email)
  for (let more = 1; more < 30; more++) expect((await bankid.start(browser, page, email)).statusCode).toBe(200)
  const refusal = await bankid.start(browser, page, email)
  expect([refusal.statusCode, refusal.headers['retry-after']]).toEqual([429, '60'])
})
