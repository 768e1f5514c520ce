import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notMeLink } from '#server/credentials/not-me/not-me-link.ts'
import { authenticator } from '#test/authenticator.ts'
import { bankIdOf } from '#test/bankid.ts'
import { type Client, outcome } from '#test/client.ts'
import { factorsOf } from '#test/factors.ts'
import { outboxOf } from '#test/outbox.ts'
import { type Person, testPassword } from '#test/people.ts'
import { servicesOf } from '#test/service.ts'
import { openSignIn } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { createRecoveriesJob } from './recover-account.ts'

let portal: TestApp
let outbox: ReturnType<typeof outboxOf>
let factors: ReturnType<typeof factorsOf>
let bankid: ReturnType<typeof bankIdOf>
beforeAll(async () => {
  portal = await testApp()
  outbox = outboxOf(portal)
  factors = factorsOf(portal)
  bankid = bankIdOf(portal)
})
afterAll(() => portal.close())
beforeEach(() => portal.advance(48 * 3600))

const reason = { reason: 'Lost the phone, known by voice' }
const day = 24 * 3600
const passkeys = '/api/profile/passkeys'

/** Somebody with an app, in an organisation with two admins, of whom the second has just proven a code. */
async function scene(options: Parameters<TestApp['person']>[0] = {}) {
  const { organizationId } = await portal.organization()
  const person = await portal.person(options)
  await portal.join(person.accountId, organizationId)
  const { browser: own, codeOf } = await factors.giveApp(person)
  portal.advance(60)
  const { admin: anna, browser: one } = await newAdmin(organizationId)
  const { admin: bert, browser: other } = await newAdmin(organizationId)
  await factors.proveCode(other, bert)
  return { person, own, codeOf, organizationId, anna, one, bert, other, path: pathOf(person) }
}
async function newAdmin(organizationId: string) {
  const admin = await portal.person()
  await portal.join(admin.accountId, organizationId, 'organizationAdmin')
  await portal.system.db
    .updateTable('memberships')
    .set({ roleSince: new Date(0) })
    .where('accountId', '=', admin.accountId)
    .execute()
  return { admin, browser: await portal.signedIn(admin) }
}
async function proven(person: Person) {
  const browser = await portal.signedIn(person)
  await factors.proveCode(browser, person)
  return browser
}
const pathOf = ({ accountId }: Person) => `/api/users/${accountId}/recovery`
const hasApp = async ({ accountId }: Person) =>
  (await portal.system.db.selectFrom('authenticatorApps').select('accountId').execute()).some(
    (app) => app.accountId === accountId,
  )
const runJob = () => createRecoveriesJob(portal.system).run()
const mailsTo = async ({ email }: Person) =>
  (await outbox.messagesTo(email)).filter(({ template }) => template === 'recovery').map(({ values }) => values)
const eventsOf = async ({ accountId }: Person) => {
  const rows = await portal.system.db
    .selectFrom('auditEvents')
    .select('name')
    .where('targetId', '=', accountId)
    .where('name', 'like', '%ecover%')
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name).filter((name) => name !== 'createRecoveryCodes')
}

describe('help for somebody who has lost the second step', () => {
  test('needs a reason, is mailed at once, happens a day later, and ends in a choice by the person', async () => {
    const { person, own, one, path } = await scene()
    expect(outcome(await one.post(path, { reason: '' }))).toEqual([422, 'validationFailed'])
    expect(outcome(await one.post(path, reason))).toBe(204)
    expect(outcome(await one.post(path, reason))).toEqual([409, 'recoveryOpen'])
    const dueAt = new Date(portal.now().getTime() + day * 1000).toISOString()
    expect(await mailsTo(person)).toMatchObject([{ what: 'asked', ...reason, at: dueAt }])
    expect((await own.get('/api/profile/recovery')).json()).toMatchObject({ recovery: { ...reason, dueAt } })
    portal.advance(day - 1)
    await runJob()
    expect(await hasApp(person)).toBe(true)
    portal.advance(1)
    await runJob()
    await runJob()
    expect(await hasApp(person)).toBe(false)
    expect((await mailsTo(person)).map(({ what }) => what)).toEqual(['done', 'asked'])
    expect(await eventsOf(person)).toEqual(['askForRecovery', 'recoverAccount'])

    // The password alone still signs nobody in; after a code by mail a new factor comes before anything else.
    const { email } = person
    const alone = await portal.browser().post('/api/verify-credentials', { email, password: testPassword })
    expect(outcome(alone)).toEqual([403, 'secondStepNeeded'])
    const browser = await factors.signedInByMail(person)
    expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: true })
    expect(outcome(await browser.get('/api/profile/sessions'))).toEqual([403, 'secondFactorRequired'])
    const services = servicesOf(portal)
    const clientId = await services.register()
    const enter = async () => (await browser.follow(await browser.get(services.requestFor(clientId)))).url
    expect(await enter()).toBe('/account?tab=password')
    expect(outcome(await browser.put('/api/profile/factors/usual', { usual: null }))).toBe(204)
    expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: true })
    await factors.addApp(browser)
    expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: false })
    expect(await enter()).toMatch(/^https:\/\/journal\.example\/callback\?code=/)
  })

  test('takes no web address for a reason, which would stand in a mail of the portal', async () => {
    const { person, one, path } = await scene()
    for (const link of ['Confirm at http://evil.example/login', 'See evil.example', 'www.evil', 'Call me. Anna']) {
      const answer = await one.post(path, { reason: link })
      if (link === 'Call me. Anna') expect(outcome(answer)).toBe(204)
      else expect(answer.json().issues).toEqual([{ path: 'reason', message: 'reasonLooksLikeAddress' }])
    }
    expect(await mailsTo(person)).toHaveLength(1)
  })

  test('is stopped in an old session only by who proves once more who they are', async () => {
    const { own, codeOf, one, path } = await scene()
    await one.post(path, reason)
    portal.advance(601)
    for (const stop of [() => own.delete('/api/profile/recovery'), () => one.delete(path)])
      expect(outcome(await stop())).toEqual([403, 'freshProofRequired'])
    await own.post('/api/step-up/password', { password: testPassword })
    expect(outcome(await own.delete('/api/profile/recovery'))).toEqual([403, 'freshProofRequired'])
    await own.post('/api/step-up/code/verify', { code: codeOf() })
    expect(outcome(await own.delete('/api/profile/recovery'))).toBe(204)
  })

  test('of one person holds up nobody where that of another fails, which is tried again', async () => {
    const [failing, other] = [await scene(), await scene()]
    for (const { one, path } of [failing, other]) await one.post(path, reason)
    portal.advance(day)
    const owner = new pg.Client({ connectionString: portal.ownerUrl })
    await owner.connect()
    await owner.query(`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by the test' using errcode = '57014'; end $$;
      create trigger refused before delete on authenticator_apps for each row
        when (old.account_id = '${failing.person.accountId}') execute function refuse()`)
    await expect(runJob()).rejects.toThrow('1 recoveries failed')
    expect([await hasApp(failing.person), await hasApp(other.person)]).toEqual([true, false])
    expect(await eventsOf(failing.person)).toEqual(['askForRecovery'])
    await owner.query('drop trigger refused on authenticator_apps; drop function refuse')
    await owner.end()
    await runJob()
    expect(await hasApp(failing.person)).toBe(false)
  })

  test('happens at once where a second admin confirms; the first one cannot', async () => {
    const { person, own, one, other, path } = await scene()
    await one.post(path, reason)
    expect((await one.get(path)).json()).toMatchObject({ recovery: { mayConfirm: false } })
    expect(outcome(await one.post(`${path}/confirm`))).toEqual([403, 'ownRecovery'])
    expect((await other.get(path)).json()).toMatchObject({
      canRecover: true,
      recovery: { ...reason, mayConfirm: true },
    })
    const answer = await other.post(`${path}/confirm`)
    expect([answer.statusCode, answer.body, answer.headers['set-cookie']]).toEqual([204, '', undefined])
    expect(await hasApp(person)).toBe(false)
    expect((await own.get('/api/me')).statusCode).toBe(401)
    expect(outcome(await other.post(`${path}/confirm`))).toEqual([404, 'notFound'])
    expect(await eventsOf(person)).toEqual(['askForRecovery', 'confirmRecovery', 'recoverAccount'])
  })

  test('happens at once where the person confirms with BankID, and with nothing weaker', async () => {
    const ssn = bankid.newNumber()
    const { person, one, path } = await scene({ ssn, ssnProof: 'bankid' })
    await one.post(path, reason)
    portal.advance(3600)
    const browser = await factors.signedInByMail(person)
    expect(outcome(await browser.post('/api/profile/recovery/confirm'))).toEqual([403, 'freshProofRequired'])
    const { location } = await bankid.signIn(person.email, ssn, { browser, startAt: '/login?prompt=login' })
    await browser.follow(await browser.get(location))
    expect(outcome(await browser.post('/api/profile/recovery/confirm'))).toBe(204)
    expect(await hasApp(person)).toBe(false)
    expect((await browser.get('/api/me')).statusCode).toBe(401)
  })

  test('is stopped by the button in the mail, which ends every session and locks the sign-in', async () => {
    const { person, own, one, path } = await scene()
    await one.post(path, reason)
    const [mail] = await mailsTo(person)
    expect((await portal.browser().submit(new URL(String(mail?.link)).pathname, {})).statusCode).toBe(303)
    expect((await own.get('/api/me')).statusCode).toBe(401)
    portal.advance(day)
    await runJob()
    expect(await hasApp(person)).toBe(true)
    expect(await eventsOf(person)).toEqual(['askForRecovery', 'stopRecovery'])
    expect(outcome(await factors.start(portal.browser(), person))).toEqual([401, 'invalidCredentials'])
  })

  test('is stopped by the person, and by each admin', async () => {
    const { person, own, one, other, path } = await scene()
    for (const stop of [() => own.delete('/api/profile/recovery'), () => other.delete(path)]) {
      await one.post(path, reason)
      expect(outcome(await stop())).toBe(204)
      expect(outcome(await stop())).toEqual([404, 'notFound'])
    }
    portal.advance(day)
    await runJob()
    expect(await hasApp(person)).toBe(true)
  })

  test('does not happen once the app is found again, and what the person has stays', async () => {
    const { person, own, codeOf, one, other, path } = await scene()
    await one.post(path, reason)
    portal.advance(60)
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    await factors.start(browser, person)
    await factors.complete(browser, page, person, codeOf())
    expect((await own.get('/api/profile/recovery')).json()).toEqual({ recovery: null })
    expect((await one.get(path)).json()).toEqual({ canRecover: true, recovery: null })
    expect(outcome(await other.post(`${path}/confirm`))).toEqual([404, 'notFound'])
    portal.advance(day)
    await runJob()
    expect(await hasApp(person)).toBe(true)
    expect(await eventsOf(person)).toEqual(['askForRecovery', 'stopRecovery'])
  })

  test('does not take off an app that the person added in place of the lost one', async () => {
    const { person, own, one, path } = await scene()
    await one.post(path, reason)
    portal.advance(60)
    expect(outcome(await own.delete('/api/profile/app'))).toBe(204)
    await factors.addApp(own)
    portal.advance(day)
    await runJob()
    expect(await hasApp(person)).toBe(true)
  })

  test('does not happen once a passkey was added or used since, and what the person has stays', async () => {
    const device = authenticator()
    const keyOf = async (browser: Client) => {
      const { key, credential } = device.create(
        (await browser.post(`${passkeys}/challenge`, { kind: 'passkey' })).json(),
      )
      expect(outcome(await browser.post(passkeys, { name: 'My phone', credential }))).toBe(201)
      return key
    }
    for (const isAdded of [true, false]) {
      const { person, own, one, other, path } = await scene()
      const earlier = isAdded ? undefined : await keyOf(own)
      portal.advance(60)
      expect(outcome(await one.post(path, reason))).toBe(204)
      portal.advance(60)
      if (earlier) {
        const browser = portal.browser()
        await factors.start(browser, person)
        const credential = device.use(earlier, (await browser.post('/api/2fa-passkey', {})).json())
        const proof = { email: person.email, password: testPassword, credential }
        expect(outcome(await browser.post('/api/verify-credentials-passkey', proof))).toBe(204)
      } else await keyOf(own)
      expect((await one.get(path)).json()).toEqual({ canRecover: true, recovery: null })
      expect(outcome(await other.post(`${path}/confirm`))).toEqual([404, 'notFound'])
      portal.advance(day)
      await runJob()
      expect(await hasApp(person)).toBe(true)
      expect(await eventsOf(person)).toEqual(['askForRecovery', 'stopRecovery'])
    }
  })

  test('unconfirms every number, whoever entered it, and helps who has lost the phone after a reset by mail', async () => {
    const { organizationId, one, other } = await scene()
    const person = await portal.person({ loginMethod: 'local2FA', phoneNumber: '+46701740651' })
    await portal.join(person.accountId, organizationId)
    await portal.system.db
      .updateTable('users')
      .set({ passwordFromMail: true })
      .where('email', '=', person.email)
      .execute()
    const byMail = { codeDeliveryType: 'email' }
    expect(outcome(await factors.start(portal.browser(), person, byMail))).toEqual([403, 'mailNotAfterReset'])
    const path = pathOf(person)
    expect((await one.get(path)).json()).toEqual({ canRecover: true, recovery: null })
    await one.post(path, reason)
    expect(outcome(await other.post(`${path}/confirm`))).toBe(204)
    const bySms = { codeDeliveryType: 'sms' }
    expect(outcome(await factors.start(portal.browser(), person, bySms))).toEqual([403, 'phoneNotConfirmed'])
    const browser = await factors.signedInByMail(person)
    expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: true })
  })

  test('takes away passkeys and recovery codes, too, each with its event and its mail', async () => {
    const { person, own, organizationId, one, other, path } = await scene()
    await own.post('/api/profile/recovery-codes', {})
    const { credential } = authenticator().create((await own.post(`${passkeys}/challenge`, { kind: 'passkey' })).json())
    expect(outcome(await own.post(passkeys, { name: 'My phone', credential }))).toBe(201)
    await one.post(path, reason)
    portal.advance(1)
    await other.post(`${path}/confirm`)
    const events = await portal.system.db
      .selectFrom('auditEvents')
      .select(['name', 'changes', 'organizationIds'])
      .where('targetId', '=', person.accountId)
      .where('createdAt', '=', portal.now())
      .execute()
    const concerns = { organizationIds: [organizationId], changes: [] as object[] }
    const key = { property: 'passkey', previousValue: 'My phone', newValue: null }
    expect(events).toHaveLength(5)
    expect(events).toEqual(
      expect.arrayContaining([
        { ...concerns, name: 'recoverAccount' },
        { ...concerns, name: 'deletePasskey', changes: [key] },
        { ...concerns, name: 'removeAuthenticatorApp' },
        { ...concerns, name: 'removeRecoveryCodes' },
      ]),
    )
    const mails = (await outbox.messagesTo(person.email)).filter(
      ({ values }) => values.at === portal.now().toISOString(),
    )
    expect(mails.map(({ values: { what, change, name } }) => [what ?? change, name]).sort()).toEqual([
      ['appRemoved', undefined],
      ['done', undefined],
      ['recoveryCodesRemoved', undefined],
      ['removed', 'My phone'],
    ])
    const browser = await factors.signedInByMail(person)
    expect((await browser.get('/api/profile/factors')).json()).toMatchObject({
      app: null,
      recoveryCodes: null,
      kinds: ['email'],
    })
  })

  test('holds up nobody who has BankID for the sign-in by now', async () => {
    const ssn = bankid.newNumber()
    const { person, one, other, path } = await scene({ ssn, ssnProof: 'bankid' })
    await one.post(path, reason)
    await other.post(`${path}/confirm`)
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const change = { accountId: person.accountId, loginMethod: 'bankid' }
    expect(outcome(await root.put('/api/users', change))).toBe(200)
    const { browser } = await bankid.signIn(person.email, ssn)
    expect((await browser.get('/api/me')).json()).toMatchObject({ mustEnrol: false })
    expect((await browser.get('/api/profile/sessions')).statusCode).toBe(200)
  })

  test.each([{ loginMethod: 'local2FA' }, {}] as const)(
    'is not for somebody who has nothing to lose: %o',
    async (options) => {
      const { organizationId, one } = await scene()
      const person = await portal.person(options)
      await portal.join(person.accountId, organizationId)
      expect((await one.get(pathOf(person))).json()).toEqual({ canRecover: false, recovery: null })
      expect(outcome(await one.post(pathOf(person), reason))).toEqual([409, 'nothingToRecover'])
    },
  )
})

describe('a hostile admin, who also has the password', () => {
  /** The phone of the admin, entered at this moment. @returns whether a code goes to it */
  async function opens(when: 'before' | 'asked' | 'after', how: 'colleague' | 'a day later') {
    const { person, anna, one, other, path } = await scene()
    const phoneNumber = '+46701740655'
    const enter = async () => {
      const admin = await portal.signedIn(anna)
      expect(outcome(await admin.put('/api/users', { accountId: person.accountId, phoneNumber }))).toBe(200)
    }
    if (when === 'before') await enter()
    expect(outcome(await one.post(path, reason))).toBe(204)
    if (when === 'asked') await enter()
    if (how === 'colleague') expect(outcome(await other.post(`${path}/confirm`))).toBe(204)
    else {
      portal.advance(day)
      await runJob()
    }
    if (when === 'after') await enter()
    expect(await hasApp(person)).toBe(false)
    const browser = portal.browser()
    const asked = await factors.start(browser, person, { codeDeliveryType: 'sms' })
    const alone = await factors.start(browser, person)
    const choices = (await browser.get('/api/2fa-factors')).json()
    return [outcome(asked), outcome(alone), choices.kinds]
  }

  test.each(['before', 'asked', 'after'] as const)('gets no code to a phone that was entered: %s', async (when) => {
    for (const how of ['colleague', 'a day later'] as const)
      expect(await opens(when, how)).toEqual([[403, 'phoneNotConfirmed'], 204, ['email']])
  })
})

describe('a hostile admin', () => {
  test('of one of several organisations cannot help, with a colleague neither; a super user can', async () => {
    const { person, one, other, path } = await scene()
    const elsewhere = await scene()
    await portal.join(person.accountId, elsewhere.organizationId)
    for (const browser of [one, other, elsewhere.one])
      expect(outcome(await browser.post(path, reason))).toEqual([403, 'forbidden'])
    expect(outcome(await one.get(path))).toEqual([403, 'forbidden'])
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    expect(outcome(await root.post(path, reason))).toBe(204)
    for (const browser of [one, other])
      expect(outcome(await browser.post(`${path}/confirm`))).toEqual([403, 'forbidden'])
  })

  test('of another organisation finds nobody', async () => {
    const { path } = await scene()
    const { one: stranger } = await scene()
    expect(outcome(await stranger.post(path, reason))).toEqual([404, 'notFound'])
  })

  test('cannot ask in time, before the person joins somebody else or the own role ends', async () => {
    const joins = await scene()
    await joins.one.post(joins.path, reason)
    const { organizationId } = await portal.organization()
    await portal.join(joins.person.accountId, organizationId)
    const leaves = await scene()
    await leaves.one.post(leaves.path, reason)
    await portal.system.db.deleteFrom('memberships').where('accountId', '=', leaves.anna.accountId).execute()
    // Nor does a colleague's word make up for it.
    expect(outcome(await leaves.other.post(`${leaves.path}/confirm`))).toEqual([404, 'notFound'])
    portal.advance(day)
    await runJob()
    for (const { person } of [joins, leaves]) {
      expect(await hasApp(person)).toBe(true)
      expect(await eventsOf(person)).toEqual(['askForRecovery', 'stopRecovery'])
    }
  })

  test('who works in the account of a good one is stopped by its owner, who says that this was not them', async () => {
    const { person, anna, one, path } = await scene()
    await one.post(path, reason)
    const { config, db } = portal.system
    const link = await notMeLink({ config, now: portal.now() }, db, anna.accountId)
    expect((await portal.browser().submit(new URL(link).pathname, {})).statusCode).toBe(303)
    const [event] = await db
      .selectFrom('auditEvents')
      .select('actor')
      .where('targetId', '=', person.accountId)
      .where('name', '=', 'stopRecovery')
      .execute()
    expect(event).toEqual({ actor: anna.email })
    // The owner may come back within the day.
    await db.updateTable('users').set({ signInLockedAt: null }).where('accountId', '=', anna.accountId).execute()
    portal.advance(day)
    await runJob()
    expect(await hasApp(person)).toBe(true)
    expect(await eventsOf(person)).toEqual(['askForRecovery', 'stopRecovery'])
  })

  describe('is no second admin by making one', () => {
    const weekAgo = () => new Date(portal.now().getTime() - 7 * day * 1000)
    const set = ({ accountId }: Person, values: { userRole?: 'organizationAdmin'; roleSince?: Date }) =>
      portal.system.db.updateTable('memberships').set(values).where('accountId', '=', accountId)

    test('who has to be an admin a week before the request; a super user confirms', async () => {
      const { person, organizationId, one, path } = await scene()
      const puppet = await portal.person()
      await portal.join(puppet.accountId, organizationId)
      // A member of long ago is an admin since the role.
      await set(puppet, { roleSince: new Date(0) }).execute()
      const [made] = await set(puppet, { userRole: 'organizationAdmin' }).returning('roleSince').execute()
      expect(made?.roleSince.getTime()).toBeGreaterThan(Date.now() - 3_600_000)
      const browser = await proven(puppet)
      await one.post(path, reason)
      await set(puppet, { roleSince: new Date(weekAgo().getTime() + 1000) }).execute()
      expect((await browser.get(path)).json()).toMatchObject({ recovery: { mayConfirm: false } })
      expect(outcome(await browser.post(`${path}/confirm`))).toEqual([403, 'adminTooNew'])
      await set(puppet, { roleSince: weekAgo() }).execute()
      expect((await browser.get(path)).json()).toMatchObject({ recovery: { mayConfirm: true } })
      await set(puppet, { roleSince: portal.now() }).execute()
      const root = await proven(await portal.person({ superUser: true }))
      expect((await root.get(path)).json()).toMatchObject({ recovery: { mayConfirm: true } })
      expect(outcome(await root.post(`${path}/confirm`))).toBe(204)
      expect(await hasApp(person)).toBe(false)
    })

    test('nor where the new one asks, and the old one confirms; it waits a day', async () => {
      const { person, organizationId, other, path } = await scene()
      const puppet = await newAdmin(organizationId)
      await set(puppet.admin, { roleSince: new Date(weekAgo().getTime() + 1000) }).execute()
      expect(outcome(await puppet.browser.post(path, reason))).toBe(204)
      expect((await other.get(path)).json()).toMatchObject({ recovery: { mayConfirm: false } })
      expect(outcome(await other.post(`${path}/confirm`))).toEqual([403, 'adminTooNew'])
      portal.advance(day)
      await runJob()
      expect(await hasApp(person)).toBe(false)
    })

    test('nor with the stolen password of a colleague, who has to prove more', async () => {
      const { one, bert, path } = await scene()
      await one.post(path, reason)
      portal.advance(60)
      const thief = await portal.signedIn(bert)
      expect(outcome(await thief.post(`${path}/confirm`))).toEqual([403, 'codeRequired'])
      await factors.proveCode(thief, bert)
      expect(outcome(await thief.post(`${path}/confirm`))).toBe(204)
    })
  })

  test('cannot help themselves', async () => {
    const { organizationId } = await scene()
    const { admin } = await newAdmin(organizationId)
    const { browser } = await factors.giveApp(admin)
    expect(outcome(await browser.post(pathOf(admin), reason))).toEqual([403, 'forbidden'])
  })

  test('cannot fill a mailbox: three times a day, by all admins together and however often it is stopped', async () => {
    const { person, one, other, path } = await scene()
    const { one: stranger } = await scene()
    for (let time = 0; time < 5; time++) expect(outcome(await stranger.post(path, reason))).toEqual([404, 'notFound'])
    for (const admin of [one, other]) {
      expect(outcome(await admin.post(path, reason))).toBe(204)
      expect(outcome(await admin.post(path, reason))).toEqual([409, 'recoveryOpen'])
      await admin.delete(path)
    }
    expect(outcome(await one.post(path, reason))).toBe(204)
    await one.delete(path)
    for (const admin of [one, other]) expect(outcome(await admin.post(path, reason))).toEqual([429, 'tooManyRequests'])
    expect(await mailsTo(person)).toHaveLength(3)
  })

  test('cannot use a session that was left open', async () => {
    const { one, path } = await scene()
    portal.advance(601)
    expect(outcome(await one.post(path, reason))).toEqual([403, 'freshProofRequired'])
  })
})

test('a super user is helped by another super user alone', async () => {
  const { person, one, path } = await scene({ superUser: true })
  expect(outcome(await one.post(path, reason))).toEqual([403, 'forbidden'])
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  expect(outcome(await root.post(path, reason))).toBe(204)
  expect(outcome(await one.post(`${path}/confirm`))).toEqual([403, 'forbidden'])
  expect(await mailsTo(person)).toHaveLength(1)
})

describe('BankID in place of a lost second step', () => {
  /** Signs in with the password, and then with the BankID of a number. @returns where it led */
  async function byBankId(person: Person, number: string, { password = testPassword } = {}) {
    const browser = portal.browser()
    const { page } = await openSignIn(browser)
    await browser.post('/api/start-2fa-login', { email: person.email, password })
    const choices = await browser.get('/api/2fa-factors')
    const { uid, location } = await bankid.signIn(person.email, number, { browser })
    await browser.follow(await browser.get(location))
    return { choices, location: location.replace(uid, 'uid'), me: await browser.get('/api/me'), page }
  }

  test('signs in after the password, where BankID has proven the number', async () => {
    const ssn = bankid.newNumber()
    const { person } = await scene({ ssn, ssnProof: 'bankid' })
    portal.advance(600)
    const { choices, me } = await byBankId(person, ssn)
    expect(choices.json()).toMatchObject({ asked: 'app', bankid: true })
    expect(me.json()).toMatchObject({ email: person.email, signedInWith: 'bankid' })
  })

  test.each(['company', null] as const)('does not where the number is proven by: %s', async (ssnProof) => {
    const ssn = bankid.newNumber()
    const { person } = await scene({ ssn, ssnProof })
    const { choices, location, me } = await byBankId(person, ssn)
    expect(choices.json()).toMatchObject({ bankid: false })
    expect([me.statusCode, location]).toEqual([401, expect.stringContaining('error=bankIdRefused')])
  })

  test('of another person, or without the password, does not', async () => {
    const ssn = bankid.newNumber()
    const { person } = await scene({ ssn, ssnProof: 'bankid' })
    const stranger = await byBankId(person, bankid.newNumber())
    expect([stranger.me.statusCode, stranger.location]).toEqual([401, expect.stringContaining('error=bankIdRefused')])
    const wrong = await byBankId(person, ssn, { password: 'Wrong-horse-7-battery' })
    expect([wrong.choices.statusCode, wrong.me.statusCode]).toEqual([404, 401])
  })
})
