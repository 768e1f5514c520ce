import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { found } from '#server/platform/problem.ts'
import {
  type AccountProof,
  accountsPage,
  accountsTable,
  impossible,
  type Method,
  methods,
  proofs,
  type Reach,
} from './accounts-table.ts'
import { bankIdOf } from './bankid.ts'
import type { Client } from './client.ts'
import { invitationsOf, invite, newEmail } from './invitations.ts'
import { outboxOf } from './outbox.ts'
import { chosenPassword, type Person, testPassword } from './people.ts'
import { attempt } from './saml/attempt.ts'
import { type Company, company, companyAnswer } from './saml/company.ts'
import { openSignIn } from './sign-in.ts'
import { type TestApp, testApp } from './test-app.ts'

// Every combination of login method and address proof, when another organisation invites the address.

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
let bankid: ReturnType<typeof bankIdOf>
let theirs: Company
beforeAll(async () => {
  portal = await testApp({ LIMIT_TOKEN_LOOKUP: '10000/600', LIMIT_API: '100000/60' })
  invites = invitationsOf(portal)
  bankid = bankIdOf(portal)
  theirs = await company(portal)
})
afterAll(() => portal?.close())
beforeEach(() => portal.advance(3600))

interface Account extends Person {
  ssn: string
}

async function account(method: Method, proof: AccountProof): Promise<Account> {
  const ssn = bankid.newNumber()
  const inDomain = method === 'saml in its domain'
  const isSaml = method.startsWith('saml')
  const email = inDomain ? newEmail().replace('nordvik.example', theirs.mailDomain) : newEmail()
  const loginMethod = isSaml ? 'saml' : (method as 'local' | 'local2FA' | 'bankid')
  const person = await portal.person({
    ...{ email, ssn, loginMethod, phoneNumber: '+46701740605' },
    samlConfigId: isSaml ? theirs.configId : null,
    superUser: proof === 'operator',
    emailProof: proof === 'none' ? null : proof,
  })
  const { organizationId } = isSaml ? theirs : await portal.organization(undefined, loginMethod)
  await portal.join(person.accountId, organizationId)
  return { ...person, ssn }
}

/** Signs in with the account's login method; undefined if that is not possible. */
async function signIn(method: Method, person: Account): Promise<Client | undefined> {
  const browser = portal.browser()
  if (method === 'local') return portal.signedIn(person)
  if (method === 'bankid') return (await bankid.signIn(person.email, person.ssn)).browser
  if (method === 'local2FA') {
    const { page } = await openSignIn(browser)
    const { email } = person
    await browser.post('/api/start-2fa-login', { email, password: testPassword, codeDeliveryType: 'sms' })
    const [sms] = await outboxOf(portal).messagesTo('+46701740605')
    const form = { email, login: 'local2FA', password: testPassword, code: String(sms?.values.code) }
    await browser.follow(await browser.submit(`${page}/login`, form))
  } else {
    const craft = (asked: Parameters<typeof companyAnswer>[1]) => companyAnswer(theirs, asked, { nameId: person.email })
    await attempt(portal, { company: theirs, browser, craft })
  }
  return (await browser.get('/api/me')).statusCode === 200 ? browser : undefined
}

/** A new organisation has invited the address. */
async function invited(email: string) {
  const at = await invites.organizationWithAdmin()
  expect((await invite(at.browser, at.organizationId, email)).statusCode).toBe(201)
  const { invitationId = '' } = (await invites.invitationOf(email)) ?? {}
  const token = await invites.mailedToken(email)
  const shown = await invites.shownToken(at.browser, email, at.organizationId)
  const hidden = await invites.hiddenToken(email, at.admin)
  const { db } = portal.system
  const isMember = async (accountId: string) => {
    const rows = await db
      .selectFrom('memberships')
      .select('organizationId')
      .where('accountId', '=', accountId)
      .execute()
    return rows.some((row) => row.organizationId === at.organizationId)
  }
  return { invitationId, token, shown: shown || hidden, isMember }
}

async function withoutSession(method: Method, person: Account): Promise<Pick<Reach, 'shown' | 'mailed'>> {
  const { token, shown, isMember } = await invited(person.email)
  // An address in the domain of another company gets the same answer with and without an account.
  const refusal = method === 'saml in its domain' ? 'invitationLinkByMailOnly' : 'invitationInvalid'
  // There the portal shows no link, and the one that it would show opens nothing.
  expect((await invites.accept(person.email, shown)).json().message).toBe(refusal)
  const answer = await invites.accept(person.email, token)
  const replaced = answer.statusCode === 204
  if (!replaced) expect(answer.json().message).toBe('signInToAccept')
  else await portal.signedIn(person, chosenPassword)
  // The owner who takes an account back gets another id: a `sub` never passes to another person.
  const { accountId = '' } = (await invites.userOf(person.email)) ?? {}
  expect(accountId !== person.accountId).toBe(replaced)
  expect(await isMember(accountId)).toBe(replaced)
  return { shown: 'nothing', mailed: replaced ? 'replaces it' : 'asks to sign in' }
}

/** An account of a new organisation, whose admin has entered that number. */
async function claimedElsewhere(ssn: string): Promise<Person> {
  const at = await invites.organizationWithAdmin()
  const member = await portal.person()
  await portal.join(member.accountId, at.organizationId)
  expect((await at.browser.put('/api/users', { accountId: member.accountId, ssn })).statusCode).toBe(200)
  return member
}

async function withSession(method: Method, person: Account): Promise<Pick<Reach, 'click' | 'signedIn' | 'number'>> {
  const elsewhere = await claimedElsewhere(person.ssn)
  const browser = await signIn(method, person)
  const { ssnProof, ssnSealed } = found(await invites.userOf(person.email))
  expect(ssnSealed).not.toBeNull()
  const kept = (await invites.userOf(elsewhere.email))?.ssnSealed !== null
  expect(kept).toBe(ssnProof === null)
  const number = kept ? 'both stay claims' : 'proven, theirs is emptied'
  if (!browser) return { click: 'no sign-in', signedIn: 'no sign-in', number }
  const first = await invited(person.email)
  const listed = (await browser.get('/api/invites/mine')).json()
  await browser.post(`/api/invites/${first.invitationId}/join`, {})
  const clicked = await first.isMember(person.accountId)
  expect(listed).toHaveLength(clicked ? 1 : 0)
  await portal.system.db.deleteFrom('invitations').where('email', '=', person.email).execute()
  const second = await invited(person.email)
  await browser.post('/api/invites/join', { token: second.shown })
  expect(await second.isMember(person.accountId)).toBe(false)
  await browser.post('/api/invites/join', { token: second.token })
  const joined = await second.isMember(person.accountId)
  return { click: clicked ? 'joins' : 'nothing', signedIn: joined ? 'joins' : 'nothing', number }
}

/** A super user adds the account to another organisation, as a second thought with a reason. */
async function byWord({ accountId }: Account): Promise<Pick<Reach, 'word'>> {
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const { organizations, superUser } = (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()
  const { organizationId } = await portal.organization()
  const present = organizations.map((one: Record<string, string>) => ({
    organizationId: one.organizationId,
    userRole: one.userRole,
  }))
  const input = { accountId, superUser, organizations: [...present, { organizationId, userRole: 'regular' }] }
  const answer = await root.put('/api/users', input)
  if (answer.statusCode === 200) return { word: 'joins' }
  expect(answer.json().message).toBe('addressNotProven')
  expect((await root.put('/api/users', { ...input, unprovenReason: 'I know her.' })).statusCode).toBe(200)
  return { word: 'asks for a reason' }
}

describe.each(methods)('an account with the login method %s', (method) => {
  test.each(proofs)('with the proof "%s" can be reached by another organisation as documented', async (proof) => {
    if (accountsTable[method][proof] === impossible)
      return expect(account(method, proof)).rejects.toMatchObject({ constraint: 'user_operates_is_never_saml' })
    const [one, other, third] = [
      await account(method, proof),
      await account(method, proof),
      await account(method, proof),
    ]
    const reached = {
      ...(await withoutSession(method, one)),
      ...(await withSession(method, other)),
      ...(await byWord(third)),
    }
    expect(reached).toEqual(accountsTable[method][proof])
  })
})

test('docs/accounts.md shows the tested table', () => {
  expect(readFileSync(join(import.meta.dirname, '../docs/accounts.md'), 'utf8')).toContain(accountsPage())
})
