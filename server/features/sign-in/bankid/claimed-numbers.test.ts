import { beforeEach, describe, expect, test } from 'vitest'
import { rotateKeys } from '#server/platform/secrets/key-rotation.ts'
import { portalWithBankId } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { invitationsOf, invite, newEmail } from '#test/invitations.ts'
import { testMasterKey } from '#test/test-app.ts'

// A number is a claim until its owner signs in with BankID for the address of the account (product-rules 11.8).

const { portal, bankid } = await portalWithBankId()
const invites = invitationsOf(portal)
let root: Client
beforeEach(async () => {
  root = await portal.signedIn(await portal.person({ superUser: true }))
})

/** A person with BankID of a new organisation. A claim, unless it says otherwise. */
async function customer(ssn: string, options: Parameters<typeof bankid.customer>[0] = {}) {
  const at = await invites.organizationWithAdmin('bankid')
  const person = await bankid.customer({ ...options, ssn })
  await portal.join(person.accountId, at.organizationId)
  return { ...person, admin: at.browser, organizationId: at.organizationId, adminPerson: at.admin }
}
const detailOf = async (client: Client, accountId: string) =>
  (await client.get(`/api/users/${accountId}/organization/-/service/-`)).json()
const numberOf = async ({ accountId }: { accountId: string }) => {
  const { ssn, ssnConfirmed } = await detailOf(root, accountId)
  return { ssn, ssnConfirmed }
}
const signsIn = async ({ email }: { email: string }, ssn: string) =>
  bankid.isSignedIn((await bankid.signIn(email, ssn)).browser)
const masked = (ssn: string) => `${ssn.slice(0, 8)}-****`
const yields = async (email: string) =>
  (await portal.system.db.selectFrom('auditEvents').selectAll().where('target', '=', email).execute()).filter(
    ({ name }) => name === 'yieldPersonalNumber',
  )

test('a number that a stranger claims locks its owner out of nothing, and yields when the owner signs in', async () => {
  const number = bankid.newNumber()
  const attacker = await customer(number)
  const at = await invites.organizationWithAdmin('bankid')
  const email = newEmail()
  await invite(at.browser, at.organizationId, email)
  const accepted = await invites.acceptWithSsn(email, await invites.mailedToken(email), 'bankid', number)
  expect([accepted.statusCode, accepted.body]).toEqual([204, ''])
  const { accountId = '' } = (await invites.userOf(email)) ?? {}
  expect(await numberOf({ accountId })).toEqual({ ssn: masked(number), ssnConfirmed: false })

  expect(await signsIn({ email }, number)).toBe(true)
  expect(await numberOf({ accountId })).toEqual({ ssn: masked(number), ssnConfirmed: true })
  expect(await numberOf(attacker)).toEqual({ ssn: null, ssnConfirmed: null })
  expect(await signsIn(attacker, number)).toBe(false)
  const [mail] = await invites.mailsTo(attacker.email)
  expect(mail).toMatchObject({ template: 'number-proven-elsewhere', values: { keeps: false } })
  const [event, ...more] = await yields(attacker.email)
  expect(more).toEqual([])
  expect(event).toMatchObject({
    name: 'yieldPersonalNumber',
    actorId: null,
    organizationIds: [attacker.organizationId],
    changes: [{ property: 'ssn', previousValue: masked(number), newValue: null }],
  })
  // The owner gets neither a mail nor another event than the sign-in.
  expect((await invites.mailsTo(email)).map(({ template }) => template)).toEqual(['user-invite'])
  expect((await invites.eventsOf(email)).map(({ name }) => name)).toEqual(['inviteUser', 'acceptInvite'])
})

test('the BankID of the owner opens the account of the typed address alone, also where others claim the number', async () => {
  const number = bankid.newNumber()
  const [attacker, owner] = [await customer(number), await customer(number)]
  const { browser } = await bankid.signIn(owner.email, number)
  expect((await browser.get('/api/me')).json()).toMatchObject({
    accountId: owner.accountId,
    ssn: number,
    ssnConfirmed: true,
  })
  expect(await numberOf(attacker)).toEqual({ ssn: null, ssnConfirmed: null })
})

test('a proven number can be claimed by others without a word, and nothing happens to the owner', async () => {
  const number = bankid.newNumber()
  const owner = await customer(number)
  expect(await signsIn(owner, number)).toBe(true)
  const attacker = await customer(bankid.newNumber())
  const free = await attacker.admin.put('/api/users', { accountId: attacker.accountId, ssn: bankid.newNumber() })
  const taken = await attacker.admin.put('/api/users', { accountId: attacker.accountId, ssn: number })
  expect(taken.statusCode).toBe(200)
  const without = ({ ssn: _, version: __, ...rest }: Record<string, unknown>) => rest
  expect(without(taken.json())).toEqual(without(free.json()))
  expect(taken.json()).toMatchObject({ ssn: masked(number), ssnConfirmed: false })
  expect(await signsIn(owner, number)).toBe(true)
  expect(await numberOf(owner)).toEqual({ ssn: masked(number), ssnConfirmed: true })
  // Neither side hears of it.
  expect([await yields(owner.email), await yields(attacker.email)]).toEqual([[], []])
})

test('someone with two accounts signs in to both; the number is confirmed where they did so last', async () => {
  const number = bankid.newNumber()
  const [first, second] = [await customer(number), await customer(bankid.newNumber())]
  expect(await signsIn(first, number)).toBe(true)
  await root.put('/api/users', { accountId: second.accountId, ssn: number })
  for (const [here, there] of [
    [second, first],
    [first, second],
    [second, first],
  ] as const) {
    expect(await signsIn(here, number)).toBe(true)
    expect(await numberOf(here)).toEqual({ ssn: masked(number), ssnConfirmed: true })
    expect(await numberOf(there)).toEqual({ ssn: masked(number), ssnConfirmed: false })
  }
  const [mail] = await invites.mailsTo(second.email)
  expect(mail).toMatchObject({ template: 'number-proven-elsewhere', values: { keeps: true } })
  expect((await yields(second.email))[0]?.changes).toEqual([
    { property: 'ssnProof', previousValue: 'bankid', newValue: null },
  ])
})

test('of two accounts with the same number that sign in at once, one has it confirmed', async () => {
  const number = bankid.newNumber()
  const people = [await customer(number), await customer(number)]
  const begun = []
  for (const { email } of people) {
    const signIn = await bankid.begin(email)
    await bankid.identify(signIn, number)
    begun.push(signIn)
  }
  await Promise.all(begun.map((signIn) => signIn.complete()))
  const numbers = await Promise.all(people.map(numberOf))
  expect(numbers.filter(({ ssnConfirmed }) => ssnConfirmed)).toHaveLength(1)
})

test('an account with a wrong number is not opened, and proves nothing', async () => {
  const [number, other] = [bankid.newNumber(), bankid.newNumber()]
  const [person, claimant] = [await customer(number), await customer(other)]
  expect(await signsIn(person, other)).toBe(false)
  expect(await numberOf(person)).toEqual({ ssn: masked(number), ssnConfirmed: false })
  expect(await numberOf(claimant)).toEqual({ ssn: masked(other), ssnConfirmed: false })
})

test('a passive person who identifies proves nothing', async () => {
  const number = bankid.newNumber()
  const person = await customer(number, { passive: true })
  expect(await signsIn(person, number)).toBe(false)
  expect(await numberOf(person)).toEqual({ ssn: masked(number), ssnConfirmed: false })
})

describe('a proven number becomes a claim again', () => {
  test('when an admin changes it, and not when the admin changes something else or sends the same', async () => {
    const number = bankid.newNumber()
    const { admin, ...person } = await customer(number)
    expect(await signsIn(person, number)).toBe(true)
    const { accountId } = person
    for (const same of [{ firstName: 'Åsa' }, { ssn: masked(number) }, { ssn: number }])
      expect((await admin.put('/api/users', { accountId, ...same })).json()).toMatchObject({ ssnConfirmed: true })
    const other = bankid.newNumber()
    expect((await admin.put('/api/users', { accountId, ssn: other })).json()).toMatchObject({ ssnConfirmed: false })
    expect((await admin.put('/api/users', { accountId, ssn: number })).json()).toMatchObject({ ssnConfirmed: false })
  })

  test('when its owner changes it', async () => {
    const number = bankid.newNumber()
    const { browser } = await bankid.signIn((await customer(number)).email, number)
    const changed = await browser.put('/api/profile', { ssn: bankid.newNumber() })
    expect(changed.json()).toMatchObject({ ssnConfirmed: false })
    expect((await browser.get('/api/me')).json()).toMatchObject({ ssnConfirmed: false })
  })
})

test('a number is confirmed for one account also while the key that finds it is rotated', async () => {
  const { db, keys } = portal.system
  const number = bankid.newNumber()
  const before = await customer(number)
  expect(await signsIn(before, number)).toBe(true)
  await rotateKeys({ db, masterKey: testMasterKey, purpose: 'index', now: portal.now() })
  // The new key is in use, and the first number still has its index of the old one.
  for (const [from, to] of [
    ['current', 'previous'],
    ['next', 'current'],
  ] as const)
    await db.updateTable('keys').set({ state: to }).where('purpose', '=', 'index').where('state', '=', from).execute()
  await keys.reload()
  const after = await customer(number)
  expect(await signsIn(after, number)).toBe(true)
  expect([(await numberOf(before)).ssnConfirmed, (await numberOf(after)).ssnConfirmed]).toEqual([false, true])
})

test('the database keeps one proven number of each', async () => {
  const number = bankid.newNumber()
  await customer(number, { ssnProof: 'bankid' })
  await expect(customer(number, { ssnProof: 'company' })).rejects.toMatchObject({ constraint: 'user_proven_ssn' })
})
