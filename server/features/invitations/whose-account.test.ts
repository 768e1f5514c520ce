import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testPersonalNumber } from '#server/demo/test-personal-number.ts'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, invitePath, newEmail } from '#test/invitations.ts'
import { chosenPassword } from '#test/people.ts'
import { attempt, refused, rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { company, companyAnswer, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// Who may create an account for an address. No one owns an address that they never proved.

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
let bankid: ReturnType<typeof bankIdOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_TOKEN_LOOKUP: '1000/600' })
  invites = invitationsOf(portal)
  bankid = bankIdOf(portal)
})
afterAll(() => portal?.close())
beforeEach(() => portal.advance(3600))

type Organization = Awaited<ReturnType<ReturnType<typeof invitationsOf>['organizationWithAdmin']>>
const mine = async (browser: Client) => (await browser.get('/api/invites/mine')).json()
const organizationsOf = async (browser: Client) => {
  const { accountId } = (await browser.get('/api/me')).json()
  return (await browser.get(`/api/users/${accountId}/organizations`)).json()
}
const rowsIn = async ({ browser, organizationId }: Organization, query = '') =>
  (await browser.get(`/api/organizations/${organizationId}/users?${query}`)).json()
/** The row of an address in the list of an organisation. */
const rowOf = async (at: Organization, email: string) =>
  (await rowsIn(at, `searchQuery=${encodeURIComponent(email)}`)).items[0]
const makeAdmin = async (at: Organization, email: string) => {
  const { accountId } = await rowOf(at, email)
  const path = `/api/users/${accountId}/organization/${at.organizationId}/service`
  expect((await at.browser.post(path, { userRole: 'organizationAdmin', services: [] })).statusCode).toBe(204)
}
const reads = async (browser: Client, { organizationId }: Organization) =>
  (await browser.get(`/api/organizations/${organizationId}/users`)).statusCode

/** An admin of A has opened an account for an address of B with the link that admins can read. */
async function hijacked(loginMethod: Parameters<typeof invites.organizationWithAdmin>[0] = 'local') {
  const [a, b] = [await invites.organizationWithAdmin(loginMethod), await invites.organizationWithAdmin()]
  const email = newEmail().replace('invited', 'director')
  await invite(a.browser, a.organizationId, email)
  const token = await invites.shownToken(a.browser, email, a.organizationId)
  expect((await invites.accept(email, token, { loginMethod })).statusCode).toBe(204)
  return { a, b, email }
}

describe('an admin of A who opens an account for an address of B by the link that admins can read', () => {
  test('does not become an admin of B when B invites that address', async () => {
    const { b, email } = await hijacked()
    const attacker = await portal.signedIn({ accountId: '', email }, chosenPassword)
    await invite(b.browser, b.organizationId, email)
    await makeAdmin(b, email)
    expect(await reads(attacker, b)).toBe(403)
    expect(await mine(attacker)).toEqual([])
    const { accountId: invitationId } = await rowOf(b, email)
    expect((await attacker.post(`/api/invites/${invitationId}/join`, {})).statusCode).toBe(404)
    expect((await attacker.post(`/api/invites/${invitationId}/decline`, {})).statusCode).toBe(404)
    expect((await organizationsOf(attacker)).map((one: { name: string }) => one.name)).not.toContain(b.name)
  })

  test('loses the account to the owner of the mailbox: credentials, sessions and the membership in A', async () => {
    const { a, b, email } = await hijacked()
    const attacker = await portal.signedIn({ accountId: '', email }, chosenPassword)
    expect(
      (await attacker.put('/api/profile', { phoneNumber: '+46701740605', currentPassword: chosenPassword })).statusCode,
    ).toBe(200)
    await invite(b.browser, b.organizationId, email)
    await makeAdmin(b, email)
    const token = await invites.mailedToken(email)
    expect((await invites.find(token)).json()).toMatchObject({ account: 'new', organizationName: b.name })
    const own = 'Silver-heron-77-lake'
    const accepted = await invites.accept(email, token, { password: own, confirmNewPassword: own })
    expect(accepted.statusCode).toBe(204)
    expect((await attacker.get('/api/me')).statusCode).toBe(401)
    await expect(portal.signedIn({ accountId: '', email }, chosenPassword)).rejects.toThrow()
    const director = await portal.signedIn({ accountId: '', email }, own)
    expect(await reads(director, b)).toBe(200)
    expect((await organizationsOf(director)).map((one: { name: string }) => one.name)).toEqual([b.name])
    expect((await director.get('/api/me')).json()).toMatchObject({ phoneNumber: null, firstName: 'Nina' })
    // A's membership waits for an answer: the director decides.
    expect(await rowOf(a, email)).toMatchObject({ pending: true })
    expect(await mine(director)).toEqual([expect.objectContaining({ organizationName: a.name })])
  })

  test('gets no account of another person, and learns nothing about it', async () => {
    const [a, owner] = [await invites.organizationWithAdmin(), await portal.person({ email: newEmail() })]
    await invite(a.browser, a.organizationId, owner.email)
    const token = await invites.shownToken(a.browser, owner.email, a.organizationId)
    expect((await invites.find(token)).json()).toMatchObject({ account: 'new', firstName: null, lastName: null })
    const answer = await invites.accept(owner.email, token)
    expect([answer.statusCode, answer.json().message]).toEqual([404, 'invitationInvalid'])
    await portal.signedIn(owner)
  })

  test('may invite a person again who never signed in: the first account is deleted with its number', async () => {
    const [a, b] = [await invites.organizationWithAdmin('bankid'), await invites.organizationWithAdmin('bankid')]
    const email = newEmail()
    const [wrong, right] = [bankid.newNumber(), bankid.newNumber()]
    await invite(a.browser, a.organizationId, email)
    await invites.acceptWithSsn(email, await invites.shownToken(a.browser, email, a.organizationId), 'bankid', wrong)
    await invite(b.browser, b.organizationId, email)
    const foreign = await invites.shownToken(b.browser, email, b.organizationId)
    expect((await invites.acceptWithSsn(email, foreign, 'bankid', right)).statusCode).toBe(404)
    portal.advance(300)
    const resend = { email, organizationId: a.organizationId }
    expect((await a.browser.post('/api/invites/resend-invite', resend)).statusCode).toBe(204)
    expect(await invites.userOf(email)).toBeUndefined()
    const again = await invites.shownToken(a.browser, email, a.organizationId)
    expect((await invites.acceptWithSsn(email, again, 'bankid', right)).statusCode).toBe(204)
    expect((await rowsIn(a)).items.filter((one: { email: string }) => one.email === email)).toHaveLength(1)
  })
})

describe('an admin of B whose mailed link replaces an account that A opened', () => {
  test.each(['local', 'bankid'] as const)(
    'reads nothing that A knew of it in the audit log: %s',
    async (loginMethod) => {
      const [a, b] = [await invites.organizationWithAdmin(loginMethod), await invites.organizationWithAdmin()]
      const [email, unknown] = [newEmail(), newEmail()]
      await invite(a.browser, a.organizationId, email)
      const shown = await invites.shownToken(a.browser, email, a.organizationId)
      const known = { firstName: 'Gudmund', lastName: 'Gammal', loginMethod }
      const secret = loginMethod === 'local' ? {} : { password: undefined, confirmNewPassword: undefined }
      const form = { ...known, ...secret, ...(loginMethod === 'bankid' && { ssn: testPersonalNumber('19850712') }) }
      expect((await invites.accept(email, shown, form)).statusCode).toBe(204)
      portal.advance(60)
      for (const invited of [email, unknown]) {
        await invite(b.browser, b.organizationId, invited)
        expect((await invites.accept(invited, await invites.mailedToken(invited))).statusCode).toBe(204)
      }
      const { items } = (await b.browser.get('/api/audit-events?nameFilter=acceptInvite')).json()
      expect(items).toHaveLength(2)
      const read = await Promise.all(
        items.map(async ({ id }: { id: string }) => b.browser.get(`/api/audit-events/${id}`)),
      )
      for (const text of [JSON.stringify(items), ...read.map(({ body }) => body)])
        expect(text).not.toMatch(/Gudmund|Gammal|bankid|19850712/)
      // Like the event of a person whose address had no account.
      const [one, other] = items
      expect(one.changes).toEqual(other.changes)
      expect([one.actorName, one.targetName]).toEqual(['Nina Ny', 'Nina Ny'])
      // A keeps what A knew, and learns no more.
      const earlier = await a.browser.get('/api/audit-events?nameFilter=acceptInvite')
      expect(earlier.json().items).toMatchObject([{ actorName: 'Gudmund Gammal', targetName: 'Gudmund Gammal' }])
      expect((await a.browser.get('/api/audit-events')).body).not.toContain('Nina')
    },
  )
})

describe('a company that signs its people in', () => {
  test('does not get the account of a person of another organisation who accepted another invitation by mail', async () => {
    const [theirs, b] = [await company(portal), await invites.organizationWithAdmin()]
    const email = newEmail()
    // A leftover account: pending, with the configuration of a company that once invited it.
    const person = await employee(portal, theirs, { email, pending: true, emailProof: null })
    await invite(b.browser, b.organizationId, email)
    expect((await invites.accept(email, await invites.mailedToken(email))).statusCode).toBe(204)
    expect(await invites.userOf(email)).toMatchObject({ loginMethod: 'local', samlConfigId: null, pending: false })
    expect(await rightAttempt(portal, theirs, person)).toEqual(refused(/no such person/))
  })

  test('cannot sign in to an account outside its domain whose address was not proven by mail', async () => {
    const theirs = await company(portal)
    const unproven = await employee(portal, theirs, { email: newEmail(), emailProof: null })
    expect(await rightAttempt(portal, theirs, unproven)).toEqual(refused(/may not sign this account in/))
    const byCompany = await employee(portal, theirs, { email: newEmail(), emailProof: 'samlDomain' })
    expect(await rightAttempt(portal, theirs, byCompany)).toEqual(refused(/may not sign this account in/))
    const byMail = await employee(portal, theirs, { email: newEmail() })
    expect(await rightAttempt(portal, theirs, byMail)).toEqual(signedIn(byMail))
  })

  test('cannot sign in to the account of a person who is no member of an organisation that uses it', async () => {
    const theirs = await company(portal)
    const left = await employee(portal, theirs)
    await portal.system.db.deleteFrom('memberships').where('accountId', '=', left.accountId).execute()
    expect(await rightAttempt(portal, theirs, left)).toEqual(refused(/may not sign this account in/))
    const { organizationId } = await portal.organization()
    await portal.join(left.accountId, organizationId)
    expect(await rightAttempt(portal, theirs, left)).toEqual(refused(/may not sign this account in/))
  })

  test('proves an address under its domain by a sign-in, and no other', async () => {
    const theirs = await company(portal)
    const inside = await employee(portal, theirs, { emailProof: null })
    expect(await rightAttempt(portal, theirs, inside)).toEqual(signedIn(inside))
    expect(await invites.userOf(inside.email)).toMatchObject({ emailProof: 'samlDomain' })
    const below = await employee(portal, theirs, { email: `a@sub.${theirs.mailDomain}`, emailProof: null })
    expect(await rightAttempt(portal, theirs, below)).toEqual(signedIn(below))
    const beside = await employee(portal, theirs, { email: `a@not${theirs.mailDomain}`, emailProof: null })
    expect(await rightAttempt(portal, theirs, beside)).toEqual(refused(/may not sign this account in/))
    expect(await invites.userOf(beside.email)).toMatchObject({ emailProof: null })
  })

  test('cannot answer an invitation for a person outside its domain: that requires the mailed link', async () => {
    const [theirs, b] = [await company(portal), await invites.organizationWithAdmin()]
    const person = await employee(portal, theirs, { email: newEmail() })
    const browser = await throughCompany(theirs, person.email)
    await invite(b.browser, b.organizationId, person.email)
    expect(await mine(browser)).toEqual([])
    const { accountId: invitationId } = await rowOf(b, person.email)
    expect((await browser.post(`/api/invites/${invitationId}/join`, {})).statusCode).toBe(404)
    const shown = await invites.shownToken(b.browser, person.email, b.organizationId)
    expect((await browser.post('/api/invites/join', { token: shown })).statusCode).toBe(404)
    const token = await invites.mailedToken(person.email)
    expect((await browser.post('/api/invites/join', { token })).statusCode).toBe(204)
    expect((await organizationsOf(browser)).map((one: { name: string }) => one.name)).toContain(b.name)
  })

  test('gets an account outside its domain only by the mailed link, and the other link says so', async () => {
    const theirs = await company(portal)
    const admin = await portal.person()
    await portal.join(admin.accountId, theirs.organizationId, 'organizationAdmin')
    const browser = await portal.signedIn(admin)
    const email = newEmail()
    await invite(browser, theirs.organizationId, email)
    const ssn = bankid.newNumber()
    const link = await browser.get(invitePath(email, theirs.organizationId))
    expect([link.statusCode, link.json().message]).toEqual([409, 'invitationLinkByMailOnly'])
    const answer = await invites.acceptWithSsn(email, await invites.hiddenToken(email, admin), 'saml', ssn)
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'invitationLinkByMailOnly'])
    expect((await invites.acceptWithSsn(email, await invites.mailedToken(email), 'saml', ssn)).statusCode).toBe(204)
    expect(await rightAttempt(portal, theirs, { accountId: '', email })).toEqual(signedIn({ accountId: '', email }))
  })
})

describe('an admin of A who has the link for an address in the domain of company B', () => {
  test('cannot take the address before its owner signs in: that requires the mailed link', async () => {
    const [a, b] = [await invites.organizationWithAdmin(), await company(portal)]
    const email = `anna@${b.mailDomain}`
    await invite(a.browser, a.organizationId, email)
    const link = await a.browser.get(invitePath(email, a.organizationId))
    expect([link.statusCode, link.json().message]).toEqual([409, 'invitationLinkByMailOnly'])
    const answer = await invites.accept(email, await invites.hiddenToken(email, a.admin))
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'invitationLinkByMailOnly'])
    expect(await invites.userOf(email)).toBeUndefined()
    expect((await invites.accept(email, await invites.mailedToken(email))).statusCode).toBe(204)
  })
})

async function throughCompany(theirs: Awaited<ReturnType<typeof company>>, email: string) {
  const browser = portal.browser()
  await attempt(portal, { company: theirs, browser, craft: (asked) => companyAnswer(theirs, asked, { nameId: email }) })
  return browser
}

describe('an admin who changes the personal number of a colleague', () => {
  test('does not speak for the address afterwards', async () => {
    const [a, b] = [await invites.organizationWithAdmin('bankid'), await invites.organizationWithAdmin()]
    const colleague = await bankid.customer({ email: newEmail() })
    await portal.join(colleague.accountId, a.organizationId)
    const ownNumber = bankid.newNumber()
    const changed = await a.browser.put('/api/users', { accountId: colleague.accountId, ssn: ownNumber })
    expect(changed.statusCode).toBe(200)
    const { browser } = await bankid.signIn(colleague.email, ownNumber)
    expect((await browser.get('/api/me')).statusCode).toBe(200)
    await invite(b.browser, b.organizationId, colleague.email)
    expect(await mine(browser)).toEqual([])
    const { accountId: invitationId } = await rowOf(b, colleague.email)
    expect((await browser.post(`/api/invites/${invitationId}/join`, {})).statusCode).toBe(404)
    const byLink = await browser.post('/api/invites/join', { token: await invites.mailedToken(colleague.email) })
    expect([byLink.statusCode, byLink.json().message]).toEqual([409, 'emailNotProven'])
  })

  test('removes the proof of the owner, but a super user who does the same does not', async () => {
    const a = await invites.organizationWithAdmin()
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    for (const [browser, left] of [
      [a.browser, null],
      [superUser, 'mailedLink'],
    ] as const) {
      const { accountId, email } = await portal.person({ email: newEmail() })
      await portal.join(accountId, a.organizationId)
      expect((await browser.put('/api/users', { accountId, ssn: bankid.newNumber() })).statusCode).toBe(200)
      expect(await invites.userOf(email)).toMatchObject({ emailProof: left })
    }
  })
})

describe('what proves an address', () => {
  const proofOf = async (email: string) => (await invites.userOf(email))?.emailProof

  test('is given by the mailed link, not by the one that an admin sees', async () => {
    const a = await invites.organizationWithAdmin()
    const [byMail, byAdmin] = [newEmail(), newEmail()]
    for (const email of [byMail, byAdmin]) await invite(a.browser, a.organizationId, email)
    await invites.accept(byMail, await invites.mailedToken(byMail))
    await invites.accept(byAdmin, await invites.shownToken(a.browser, byAdmin, a.organizationId))
    expect([await proofOf(byMail), await proofOf(byAdmin)]).toEqual(['mailedLink', null])
  })

  test('is a link to choose a new password', async () => {
    const { email } = await portal.person({ email: newEmail(), emailProof: null })
    await portal.browser().post('/api/initiate-password-reset', { email })
    const token = String((await invites.mailsTo(email))[0]?.values.link)
      .split('/')
      .at(-1)
    const form = { email, token, newPassword: chosenPassword, confirmNewPassword: chosenPassword }
    expect((await portal.browser().post('/api/reset-password', form)).statusCode).toBe(204)
    expect(await proofOf(email)).toBe('mailedLink')
  })

  test('keeps its first kind, but replaces that of the operator', async () => {
    const first = await portal.person({ email: newEmail(), emailProof: 'mailedCode' })
    const operator = await portal.person({ email: newEmail(), emailProof: 'operator', superUser: true })
    for (const { email } of [first, operator]) {
      await portal.browser().post('/api/initiate-password-reset', { email })
      const token = String((await invites.mailsTo(email))[0]?.values.link)
        .split('/')
        .at(-1)
      const form = { email, token, newPassword: chosenPassword, confirmNewPassword: chosenPassword }
      await portal.browser().post('/api/reset-password', form)
    }
    expect([await proofOf(first.email), await proofOf(operator.email)]).toEqual(['mailedCode', 'mailedLink'])
  })
})

test('a super user created by a super user has only the proof of the operator', async () => {
  const superUser = await portal.signedIn(await portal.person({ superUser: true }))
  const names = { firstName: 'Siv', lastName: 'Ledin', loginMethod: 'local' }
  const password = { password: chosenPassword, confirmNewPassword: chosenPassword }
  for (const [isSuperUser, proof] of [
    [true, 'operator'],
    [false, null],
  ] as const) {
    const email = newEmail()
    const why = isSuperUser && { unprovenReason: 'She sits beside me.' }
    const form = { email, ...names, ...password, superUser: isSuperUser, ...why }
    expect((await superUser.post('/api/users', form)).statusCode).toBe(201)
    expect(await invites.userOf(email)).toMatchObject({ emailProof: proof })
  }
})

test('reading the link of an invitation is audited, and every admin reads another link', async () => {
  const a = await invites.organizationWithAdmin()
  const email = newEmail()
  await invite(a.browser, a.organizationId, email)
  const superUser = await portal.signedIn(await portal.person({ superUser: true }))
  const path = invitePath(email, a.organizationId)
  const urls = [await a.browser.get(path), await superUser.get(path)].map((answer) => answer.json().url)
  expect(urls[0]).not.toBe(urls[1])
  const [, ...read] = await invites.eventsOf(email)
  expect(read.map(({ name }) => name)).toEqual(['readInviteLink', 'readInviteLink'])
  expect(read[0]).toMatchObject({ actor: a.admin.email, organizationIds: [a.organizationId] })
})
