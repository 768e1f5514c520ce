import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankIdOf } from '#test/bankid.ts'
import type { Client } from '#test/client.ts'
import { attempt, refused, signedIn } from '#test/saml/attempt.ts'
import { type Asked, type Company, company, companyAnswer, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// A company proves personal numbers only where a super user lets it (product-rules 11.8).

let portal: TestApp
let root: Client
let bankid: ReturnType<typeof bankIdOf>
let trusted: Company
let other: Company
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
  bankid = bankIdOf(portal)
  trusted = await company(portal, { assertsNumbers: true })
  other = await company(portal)
})
afterAll(() => portal?.close())

const signIn = (of: Company, nameId: string, ssn: string) =>
  attempt(portal, {
    company: of,
    craft: (asked: Asked) => companyAnswer(of, asked, { nameId, attributes: { personalIdentityNumber: ssn } }),
  })
const numberOf = async ({ accountId }: { accountId: string }) => {
  const { ssn, ssnConfirmed } = (await root.get(`/api/users/${accountId}/organization/-/service/-`)).json()
  return { ssn: ssn !== null, ssnConfirmed }
}
const claim = { ssn: true, ssnConfirmed: false }
const proven = { ssn: true, ssnConfirmed: true }

test('a company that may assert numbers proves the claim of the person who signs in, and other claims yield', async () => {
  const ssn = bankid.newNumber()
  const [person, stranger] = [await employee(portal, trusted, { ssn }), await portal.person({ ssn })]
  expect(await signIn(trusted, person.email, ssn)).toEqual(signedIn(person))
  expect(await numberOf(person)).toEqual(proven)
  expect(await numberOf(stranger)).toEqual({ ssn: false, ssnConfirmed: null })
})

test('any other company proves nothing: the address signs in, and the number stays a claim', async () => {
  const ssn = bankid.newNumber()
  const [person, stranger] = [await employee(portal, other, { ssn }), await portal.person({ ssn })]
  expect(await signIn(other, person.email, ssn)).toEqual(signedIn(person))
  expect([await numberOf(person), await numberOf(stranger)]).toEqual([claim, claim])
  expect(await signIn(other, 'x7-82-opaque', ssn)).toEqual(refused(/no such person/))
})

test('a claimed number finds its person where the company may assert numbers, but never before a colleague with the address', async () => {
  const ssn = bankid.newNumber()
  const claimant = await employee(portal, trusted, { ssn })
  expect(await signIn(trusted, 'x7-82-opaque', ssn)).toEqual(signedIn(claimant))
  const [number, colleague] = [bankid.newNumber(), await employee(portal, trusted)]
  await employee(portal, trusted, { ssn: number })
  expect(await signIn(trusted, colleague.email, number)).toEqual(signedIn(colleague))
})

test('two people of the company who claim the same number are found by their addresses alone', async () => {
  const ssn = bankid.newNumber()
  const [one] = [await employee(portal, trusted, { ssn }), await employee(portal, trusted, { ssn })]
  expect(await signIn(trusted, 'x7-82-opaque', ssn)).toEqual(refused(/no such person/))
  expect(await signIn(trusted, one.email, ssn)).toEqual(signedIn(one))
  expect(await numberOf(one)).toEqual(proven)
})

test('a company takes no number that somebody has proven; the owner takes it back from a company with BankID', async () => {
  const ssn = bankid.newNumber()
  const owner = await portal.person({ ssn, ssnProof: 'bankid' })
  const person = await employee(portal, trusted, { ssn })
  expect(await signIn(trusted, person.email, ssn)).toEqual(signedIn(person))
  expect([await numberOf(owner), await numberOf(person)]).toEqual([proven, claim])

  const number = bankid.newNumber()
  const asserted = await employee(portal, trusted, { ssn: number })
  await signIn(trusted, asserted.email, number)
  const customer = await portal.person({ ssn: number, loginMethod: 'bankid' })
  expect(await bankid.isSignedIn((await bankid.signIn(customer.email, number)).browser)).toBe(true)
  expect([await numberOf(customer), await numberOf(asserted)]).toEqual([proven, claim])
})

test('a super user lets a company assert numbers, and what it has proven is a claim when that ends', async () => {
  const acme = await company(portal)
  const set = async (assertsNumbers: boolean) => {
    const answer = await root.put('/api/saml-configs', { id: acme.configId, assertsNumbers })
    expect([answer.statusCode, answer.json().assertsNumbers]).toEqual([200, assertsNumbers])
  }
  const [ssn, byBankId] = [bankid.newNumber(), bankid.newNumber()]
  const person = await employee(portal, acme, { ssn })
  const identified = await employee(portal, acme, { ssn: byBankId, ssnProof: 'bankid' })
  await set(true)
  await signIn(acme, person.email, ssn)
  expect(await numberOf(person)).toEqual(proven)
  await set(false)
  expect([await numberOf(person), await numberOf(identified)]).toEqual([claim, proven])
})

test('someone who is created at the first sign-in gets the number, proven, from such a company', async () => {
  const acme = await company(portal, { assertsNumbers: true })
  await root.put('/api/organizations', { organizationId: acme.organizationId, createAtSignIn: true })
  const [ssn, email] = [bankid.newNumber(), `new@${acme.mailDomain}`]
  const claimant = await portal.person({ ssn })
  expect(await signIn(acme, email, ssn)).toMatchObject({ signedInAs: email })
  const { items } = (await root.get(`/api/users?searchQuery=${email}`)).json()
  expect([await numberOf(items[0]), await numberOf(claimant)]).toEqual([proven, { ssn: false, ssnConfirmed: null }])
})
