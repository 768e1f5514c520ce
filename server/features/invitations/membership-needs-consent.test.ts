import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, invitePath, newEmail } from '#test/invitations.ts'
import { chosenPassword, testPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// An existing account is invited like any other person: membership needs consent, and the inviter learns nothing.

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_TOKEN_LOOKUP: '1000/600' })
  invites = invitationsOf(portal)
})
afterAll(() => portal?.close())
beforeEach(() => portal.advance(3600))

type Organization = Awaited<ReturnType<ReturnType<typeof invitationsOf>['organizationWithAdmin']>>
const list = async ({ browser, organizationId }: Organization, query = '') =>
  (await browser.get(`/api/organizations/${organizationId}/users?${query}`)).json()
const invitationId = async (email: string) => (await invites.invitationOf(email))?.invitationId ?? ''
const mine = async (browser: Client) => (await browser.get('/api/invites/mine')).json()
const join = (browser: Client, id: string) => browser.post(`/api/invites/${id}/join`, {})
const promise = (at: Organization, id: string, services: object[], userRole = 'regular') =>
  at.browser.post(`/api/users/${id}/organization/${at.organizationId}/service`, { userRole, services })

/** A stranger with an account full of details, invited by an organisation that has never heard of them. */
async function stranger() {
  const at = await invites.organizationWithAdmin()
  const person = await portal.person({
    email: newEmail(),
    firstName: 'Zebulon',
    lastName: 'Åström',
    phoneNumber: '+46701740605',
    preferredLanguage: 'fi',
    superUser: true,
  })
  expect((await invite(at.browser, at.organizationId, person.email)).statusCode).toBe(201)
  return { at, person }
}

describe('an inviter cannot tell whether an address has an account', () => {
  /** What every screen and response shows about an invited address, without its id and the address. */
  async function everything(at: Organization, email: string, invited: { statusCode: number; body: string }) {
    const id = await invitationId(email)
    const { browser, organizationId } = at
    const of = async (answer: Promise<{ statusCode: number; body: string }>) => {
      const { statusCode, body } = await answer
      return `${statusCode} ${body}`
        .replaceAll(id, 'ID')
        .replaceAll(email, 'EMAIL')
        .replaceAll(/"requestId":"[^"]*"|accept-invitation\/[^"]*/g, '')
    }
    const detail = `/api/users/${id}/organization/${organizationId}/service/-`
    return {
      invited: await of(Promise.resolve(invited)),
      list: await of(
        browser.get(`/api/organizations/${organizationId}/users?searchQuery=${encodeURIComponent(email)}`),
      ),
      detail: await of(browser.get(detail)),
      services: await of(browser.get(`/api/users/${id}/services`)),
      delivery: await of(browser.get(invitePath(email, organizationId, 'delivery'))),
      link: await of(browser.get(invitePath(email, organizationId))),
      change: await of(browser.put('/api/users', { accountId: id, phoneNumber: null })),
      lastActive: await of(browser.post(`/api/users/${id}/last-active/now`, {})),
      reset: await of(browser.post('/api/initiate-password-reset', { email, tokenLifeTimeInHours: 168 })),
      again: await of(invite(browser, organizationId, email)),
      promise: await of(promise(at, id, [])),
      changed: await of(browser.get(detail)),
    }
  }

  test('by any answer', async () => {
    const at = await invites.organizationWithAdmin()
    const known = await portal.person({ email: newEmail(), firstName: 'Zebulon', phoneNumber: '+46701740605' })
    const [answers] = [
      await Promise.all(
        [known.email, newEmail()].map(async (email) => {
          const invited = await invite(at.browser, at.organizationId, email)
          return everything(at, email, invited)
        }),
      ),
    ]
    const [ofKnown, ofUnknown] = answers
    expect(ofKnown).toEqual(ofUnknown)
    expect(ofKnown?.detail).toContain('"pending":true')
    expect(ofKnown?.change).toMatch(/^404/)
    expect(ofKnown?.lastActive).toMatch(/^404/)
  })

  test('by its place in the list, a search for its name, or the number of people', async () => {
    const { at, person } = await stranger()
    const before = await list(at)
    expect(before.totalCount).toBe(2)
    expect(before.items).toContainEqual(
      expect.objectContaining({
        ...{ email: person.email, firstName: null, lastName: null, superUser: false, pending: true },
        ...{ services: [], lastActive: null, passive: false },
      }),
    )
    // Without a name from the inviter it sorts first, before Ada Admin.
    for (const sort of ['firstName', 'lastName']) {
      const { items } = await list(at, `sort=${sort}`)
      expect(items.map((one: { email: string }) => one.email)).toEqual([person.email, at.admin.email])
    }
    for (const name of ['Zebulon', 'Åström']) expect((await list(at, `searchQuery=${name}`)).totalCount).toBe(0)
  })

  test('by the id, which is that of the invitation and as young as it is', async () => {
    const { at, person } = await stranger()
    const row = (await list(at)).items.find((one: { email: string }) => one.email === person.email)
    expect(row.accountId).not.toBe(person.accountId)
    expect(row.accountId).toBe(await invitationId(person.email))
    const direct = await at.browser.get(`/api/users/${person.accountId}/organization/-/service/-`)
    expect(direct.statusCode).toBe(404)
    const [event] = await portal.system.db
      .selectFrom('auditEvents')
      .select('targetId')
      .where('target', '=', person.email)
      .where('name', '=', 'inviteUser')
      .execute()
    expect(event?.targetId).toBe(row.accountId)
  })

  test('by the mail, which is the same in the language of the inviter', async () => {
    const { at, person } = await stranger()
    const unknown = newEmail()
    await invite(at.browser, at.organizationId, unknown)
    const [[known], [new_]] = [await invites.mailsTo(person.email), await invites.mailsTo(unknown)]
    const { link: _, ...values } = known?.values ?? {}
    expect({ ...known, id: '', values }).toEqual({
      ...new_,
      id: '',
      values: expect.objectContaining(values),
    })
  })
})

describe('the owner of an account', () => {
  test('sees the invitation, accepts it, and has what it promised from then on', async () => {
    const at = await invites.organizationWithAdmin()
    const { serviceId, name } = await portal.service()
    await portal.offer(at.organizationId, serviceId, 1)
    const person = await portal.person({ email: newEmail() })
    await invite(at.browser, at.organizationId, person.email, { message: 'Välkommen!' })
    const id = await invitationId(person.email)
    expect((await promise(at, id, [{ serviceId, userRole: 'serviceAdmin' }], 'organizationAdmin')).statusCode).toBe(204)
    const browser = await portal.signedIn(person)
    expect((await browser.get(`/api/users/${person.accountId}/organizations`)).json()).toEqual([])
    expect(await mine(browser)).toEqual([
      {
        invitationId: id,
        organizationName: at.name,
        inviterName: 'Ada Admin',
        message: 'Välkommen!',
        expiresAt: new Date(portal.now().getTime() + 7 * 24 * 3600_000).toISOString(),
        asksFor: null,
        canMeet: true,
      },
    ])
    const seats = async () =>
      (await at.browser.get(`/api/organizations/${at.organizationId}/services`)).json()[0].seatsUsed
    expect(await seats()).toBe(0)
    expect((await join(browser, id)).statusCode).toBe(204)
    expect(await seats()).toBe(1)
    expect(await mine(browser)).toEqual([])
    expect((await browser.get(`/api/organizations/${at.organizationId}/users`)).statusCode).toBe(200)
    const services = (await browser.get(`/api/users/${person.accountId}/services`)).json()
    expect(services).toMatchObject([{ name, userRole: 'serviceAdmin' }])
    expect((await invites.eventsOf(person.email)).at(-1)).toMatchObject({
      ...{ name: 'joinOrganization', actor: person.email, organizationIds: [at.organizationId] },
    })
    expect((await join(browser, id)).statusCode).toBe(404)
  })

  test('declines it, and is neither a member nor invited', async () => {
    const { at, person } = await stranger()
    const browser = await portal.signedIn(person)
    const id = await invitationId(person.email)
    expect((await browser.post(`/api/invites/${id}/decline`, {})).statusCode).toBe(204)
    expect(await mine(browser)).toEqual([])
    expect((await list(at)).totalCount).toBe(1)
    expect((await invites.eventsOf(person.email)).at(-1)).toMatchObject({
      ...{ name: 'declineInvite', organizationIds: [at.organizationId] },
    })
    expect((await join(browser, id)).statusCode).toBe(404)
  })

  test('follows the mailed link, is asked to sign in, and joins', async () => {
    const { at, person } = await stranger()
    const token = await invites.mailedToken(person.email)
    expect((await invites.find(token)).json()).toMatchObject({ account: 'signIn', organizationName: at.name })
    const accepted = await invites.accept(person.email, token)
    expect([accepted.statusCode, accepted.json().message]).toEqual([409, 'signInToAccept'])
    const browser = await portal.signedIn(person)
    expect((await browser.post('/api/invites/join', { token })).statusCode).toBe(204)
    expect((await browser.post('/api/invites/join', { token })).statusCode).toBe(404)
  })

  test('answers none of others, with or without their link', async () => {
    const { person } = await stranger()
    const other = await portal.signedIn(await portal.person({ email: newEmail() }))
    const id = await invitationId(person.email)
    const token = await invites.mailedToken(person.email)
    expect(await mine(other)).toEqual([])
    for (const answer of [
      await join(other, id),
      await other.post(`/api/invites/${id}/decline`, {}),
      await other.post('/api/invites/join', { token }),
      await other.post('/api/invites/decline', { token }),
    ])
      expect(answer.statusCode).toBe(404)
    expect(await invitationId(person.email)).toBe(id)
  })

  test('can also decline by the mailed link, once, and does not become a member', async () => {
    const { person } = await stranger()
    const browser = await portal.signedIn(person)
    const token = await invites.mailedToken(person.email)
    expect((await browser.post('/api/invites/decline', { token })).statusCode).toBe(204)
    expect((await browser.post('/api/invites/decline', { token })).statusCode).toBe(404)
    expect(await mine(browser)).toEqual([])
    expect((await browser.post('/api/invites/join', { token })).statusCode).toBe(404)
  })

  test('finds none that has run out', async () => {
    const { person } = await stranger()
    const id = await invitationId(person.email)
    portal.advance(7 * 24 * 3600)
    const browser = await portal.signedIn(person)
    expect(await mine(browser)).toEqual([])
    expect((await join(browser, id)).statusCode).toBe(404)
  })

  test('of an unproven address can only answer by the link, which makes the account theirs', async () => {
    const at = await invites.organizationWithAdmin()
    const person = await portal.person({ email: newEmail(), emailProof: null })
    await invite(at.browser, at.organizationId, person.email)
    const browser = await portal.signedIn(person)
    expect(await mine(browser)).toEqual([])
    expect((await join(browser, await invitationId(person.email))).statusCode).toBe(404)
    const token = await invites.mailedToken(person.email)
    expect((await browser.post('/api/invites/join', { token })).json().message).toBe('emailNotProven')
    expect((await invites.accept(person.email, token)).statusCode).toBe(204)
    await portal.signedIn(person, chosenPassword)
  })

  test('who is deleted loses the open invitations too', async () => {
    const { at, person } = await stranger()
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    expect((await superUser.delete(`/api/users/${person.accountId}`)).statusCode).toBe(204)
    expect((await list(at)).totalCount).toBe(1)
  })
})

describe('with concurrent requests', () => {
  test('joining twice makes one member', async () => {
    const { at, person } = await stranger()
    const browser = await portal.signedIn(person)
    const id = await invitationId(person.email)
    const answers = await Promise.all(Array.from({ length: 5 }, () => join(browser, id)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404, 404, 404, 404])
    expect((await list(at)).totalCount).toBe(2)
  })

  test('accepting and withdrawing leave a member or no one, and never an account without an organisation', async () => {
    for (let round = 0; round < 5; round++) {
      const at = await invites.organizationWithAdmin()
      const email = newEmail()
      await invite(at.browser, at.organizationId, email)
      const [token, id] = [await invites.mailedToken(email), await invitationId(email)]
      const [accepted, withdrawn] = await Promise.all([
        invites.accept(email, token),
        at.browser.delete(`/api/users/${id}/organization/${at.organizationId}`),
      ])
      expect([accepted.statusCode, withdrawn.statusCode].sort()).toEqual([204, 404])
      expect((await list(at)).totalCount).toBe(accepted.statusCode === 204 ? 2 : 1)
      expect(await invites.userOf(email)).toEqual(accepted.statusCode === 204 ? expect.anything() : undefined)
    }
  })

  test('two invitations of one address that are accepted open one account', async () => {
    const [a, b] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
    const email = newEmail()
    await invite(a.browser, a.organizationId, email)
    const one = await invites.mailedToken(email)
    await invite(b.browser, b.organizationId, email)
    const other = await invites.mailedToken(email)
    const answers = await Promise.all([invites.accept(email, one), invites.accept(email, other)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409])
    expect(await mine(await portal.signedIn({ accountId: '', email }, chosenPassword))).toHaveLength(1)
  })

  test('one of two people gets the last seat, and the inviter is notified about the other', async () => {
    const at = await invites.organizationWithAdmin()
    const { serviceId, name } = await portal.service()
    await portal.offer(at.organizationId, serviceId, 1)
    const people = [await portal.person({ email: newEmail() }), await portal.person({ email: newEmail() })]
    for (const { email } of people) {
      await invite(at.browser, at.organizationId, email)
      const answer = await promise(at, await invitationId(email), [{ serviceId, userRole: 'regular' }])
      expect(answer.statusCode).toBe(204)
    }
    const answers = await Promise.all(
      people.map(async (person) => join(await portal.signedIn(person), await invitationId(person.email))),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204])
    const { items } = await list(at)
    const having = items.filter((one: { services: unknown[] }) => one.services.length === 1)
    expect(having).toHaveLength(1)
    const without = people.find(({ email }) => email !== having[0].email)
    expect(await invites.mailsTo(at.admin.email)).toEqual([
      expect.objectContaining({
        template: 'no-seat-left',
        values: expect.objectContaining({ organizationName: at.name, services: [name] }),
      }),
    ])
    expect((await invites.eventsOf(without?.email ?? '')).at(-1)?.changes).toContainEqual({
      ...{ property: 'servicesWithoutSeat', previousValue: null, newValue: name },
    })
  })
})

describe('an invitation that waits', () => {
  test('is withdrawn like a member is removed, and an immediate second invitation is rate-limited', async () => {
    const at = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(at.browser, at.organizationId, email)
    const path = `/api/users/${await invitationId(email)}/organization/${at.organizationId}`
    expect((await at.browser.delete(path)).statusCode).toBe(204)
    expect((await at.browser.delete(path)).statusCode).toBe(404)
    const again = await invite(at.browser, at.organizationId, email)
    expect([again.statusCode, again.headers['retry-after']]).toEqual([429, '300'])
    portal.advance(300)
    expect((await invite(at.browser, at.organizationId, email)).statusCode).toBe(201)
    expect((await invites.eventsOf(email)).map(({ name }) => name)).toEqual(['inviteUser', 'removeUser', 'inviteUser'])
  })

  test('is no business of another organisation’s admin, or of a service admin', async () => {
    const [at, other] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
    const { serviceId } = await portal.service()
    await portal.offer(at.organizationId, serviceId)
    const serviceAdmin = await portal.person({ email: newEmail() })
    await portal.join(serviceAdmin.accountId, at.organizationId)
    await portal.assign(serviceAdmin.accountId, at.organizationId, serviceId, 'serviceAdmin')
    const theirs = await portal.signedIn(serviceAdmin)
    const email = newEmail()
    await invite(at.browser, at.organizationId, email)
    const id = await invitationId(email)
    await promise(at, id, [{ serviceId, userRole: 'regular' }])
    for (const browser of [other.browser, theirs]) {
      expect((await browser.get(`/api/users/${id}/organization/${at.organizationId}/service/-`)).statusCode).toBe(404)
      const set = { services: [{ serviceId, userRole: 'regular' }] }
      const path = `/api/users/${id}/organization/${at.organizationId}/service`
      expect((await browser.post(path, set)).statusCode).toBe(404)
    }
    const handOut = (address: string) =>
      theirs.post(`/api/services/${serviceId}/${at.organizationId}/users`, { email: address })
    const [invited, unknown] = [await handOut(email), await handOut(newEmail())]
    expect([invited.statusCode, invited.json().message]).toEqual([unknown.statusCode, unknown.json().message])
    expect((await theirs.get(`/api/services/${serviceId}/${at.organizationId}/users`)).json().totalCount).toBe(1)
  })

  test('promises no service that the organisation does not have, and says which', async () => {
    const at = await invites.organizationWithAdmin()
    const { serviceId } = await portal.service()
    const email = newEmail()
    await invite(at.browser, at.organizationId, email)
    const answer = await promise(at, await invitationId(email), [{ serviceId, userRole: 'regular' }])
    expect([answer.statusCode, answer.json().issues]).toEqual([
      422,
      [{ path: 'services.0.serviceId', message: 'serviceNotInOrganization' }],
    ])
  })

  test('is listed for super users as long as its address has no account', async () => {
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    const everybody = async (words: string) =>
      (await superUser.get(`/api/users?searchQuery=${encodeURIComponent(words)}`)).json()
    const total = async () => (await superUser.get('/api/users')).json().totalCount
    const [a, b] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
    const email = newEmail()
    const before = await total()
    for (const at of [a, b]) await invite(at.browser, at.organizationId, email)
    expect(await total()).toBe(before + 2)
    const { items } = await everybody(email)
    const named = items.map((one: { organizations: { name: string }[] }) => one.organizations.map(({ name }) => name))
    expect(named.sort()).toEqual([[a.name], [b.name]].sort())
    expect((await invites.accept(email, await invites.mailedToken(email))).statusCode).toBe(204)
    expect(await total()).toBe(before + 1)
    expect((await everybody(email)).totalCount).toBe(1)
  })
})

describe('a person of two organisations', () => {
  test('shows the admin of one of them name, address and state, and nothing that concerns both', async () => {
    const [a, b] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
    const ssn = '199908072391'
    const details = { phoneNumber: '+46701740605', preferredLanguage: 'fi', ssn } as const
    const person = await portal.person({ email: newEmail(), firstName: 'Åsa', ...details })
    await portal.signedIn(person)
    await portal.join(person.accountId, a.organizationId)
    const path = `/api/users/${person.accountId}/organization/${a.organizationId}/service/-`
    const alone = (await a.browser.get(path)).json()
    expect(alone).toMatchObject({ ssn: '19990807-****', phoneNumber: '+46701740605', superUser: false })
    expect(alone.lastLogin).not.toBeNull()
    // From here on the person also operates the portal.
    await portal.system.db
      .updateTable('users')
      .set({ superUser: true })
      .where('accountId', '=', person.accountId)
      .execute()
    await portal.join(person.accountId, b.organizationId)
    expect((await a.browser.get(path)).json()).toMatchObject({
      ...{ email: person.email, firstName: 'Åsa', pending: false, passive: false, superUser: false },
      ...{ ssn: null, phoneNumber: null, lastLogin: null, lastActive: null, maxPassiveDays: null },
      ...{ preferredLanguage: null, samlConfigId: null, editable: false },
      organizations: [expect.objectContaining({ organizationId: a.organizationId })],
    })
    const row = (await list(a)).items.find((one: { email: string }) => one.email === person.email)
    expect(row).toMatchObject({ superUser: false, lastActive: null })
    const superUser = await portal.signedIn(await portal.person({ superUser: true }))
    expect((await superUser.get(path)).json()).toMatchObject({ superUser: true, phoneNumber: '+46701740605' })
  })

  test('is notified by mail when a super user adds them without an invitation', async () => {
    const at = await invites.organizationWithAdmin()
    const person = await portal.person({ email: newEmail(), firstName: 'Karl', preferredLanguage: 'fi' })
    await invite(at.browser, at.organizationId, person.email)
    const superUser = await portal.signedIn(await portal.person({ superUser: true, firstName: 'Siv', lastName: 'S' }))
    const organizations = [{ organizationId: at.organizationId, userRole: 'regular' }]
    const { accountId } = person
    expect((await superUser.put('/api/users', { accountId, organizations })).statusCode).toBe(200)
    expect((await invites.mailsTo(person.email))[0]).toMatchObject({
      ...{ template: 'membership-added', language: 'fi' },
      values: { firstName: 'Karl', organizationName: at.name, inviterName: null, message: null },
    })
    expect(await invites.invitationOf(person.email)).toBeUndefined()
    expect((await list(at)).totalCount).toBe(2)
  })
})

describe('whose admins may change the account from then on', () => {
  test('an open session of before joins only with a fresh proof', async () => {
    const { at, person } = await stranger()
    const browser = await portal.signedIn(person)
    portal.advance(601)
    const token = await invites.mailedToken(person.email)
    for (const answer of [
      await join(browser, await invitationId(person.email)),
      await browser.post('/api/invites/join', { token }),
    ])
      expect([answer.statusCode, answer.json().message]).toEqual([403, 'freshProofRequired'])
    expect((await list(at)).items).toContainEqual(expect.objectContaining({ email: person.email, pending: true }))
    await browser.post('/api/step-up/password', { password: testPassword })
    expect((await browser.post('/api/invites/join', { token })).statusCode).toBe(204)
  })

  test('somebody who signs in with BankID, which no admin changes, joins in any session', async () => {
    const bankid = bankIdOf(portal)
    const ssn = bankid.newNumber()
    const person = await portal.person({ email: newEmail(), loginMethod: 'bankid', ssn, ssnProof: 'bankid' })
    const { browser } = await bankid.signIn(person.email, ssn)
    portal.advance(601)
    const at = await invites.organizationWithAdmin()
    await invite(at.browser, at.organizationId, person.email)
    expect((await join(browser, await invitationId(person.email))).statusCode).toBe(204)
  })
})
