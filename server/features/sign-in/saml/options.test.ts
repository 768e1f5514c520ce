import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '#test/client.ts'
import { attempt, refused, signedIn } from '#test/saml/attempt.ts'
import { type Asked, askCompany, type Company, company, companyAnswer, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let root: Client
beforeAll(async () => {
  portal = await testApp()
  root = await portal.signedIn(await portal.person({ superUser: true }))
})
afterAll(() => portal?.close())

/** As a super user sets it. */
async function set({ configId: id }: Company, options: object): Promise<void> {
  expect((await root.put('/api/saml-configs', { id, ...options })).json()).toMatchObject(options)
}
const requestOf = async (of: Company) => (await askCompany(portal, portal.browser(), of)).request
const attemptWith = (of: Company, subject: Parameters<typeof companyAnswer>[2]) =>
  attempt(portal, { company: of, craft: (asked: Asked) => companyAnswer(of, asked, subject) })

const password = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
const card = 'urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI'

test('without a wish the request names no format and no context', async () => {
  const request = await requestOf(await company(portal))
  expect(request).toContain('<samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>')
})

test('the request asks for the chosen format of the NameID and for one of the chosen contexts', async () => {
  const acme = await company(portal)
  await set(acme, { nameIdFormat: 'emailAddress', authnContexts: `${card}\n${password}` })
  expect(await requestOf(acme)).toContain(
    '<samlp:NameIDPolicy Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress" AllowCreate="true"/>' +
      '<samlp:RequestedAuthnContext Comparison="exact">' +
      `<saml:AuthnContextClassRef>${card}</saml:AuthnContextClassRef>` +
      `<saml:AuthnContextClassRef>${password}</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>`,
  )
  await set(acme, { nameIdFormat: 'persistent' })
  expect(await requestOf(acme)).toContain('Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"')
})

test('who authenticated in another way than the configuration requires is refused, and the trace says so', async () => {
  const acme = await company(portal)
  const person = await employee(portal, acme)
  const subject = { nameId: person.email }
  await set(acme, { authnContexts: card })
  expect(await attemptWith(acme, subject)).toEqual(refused(/in another way than required/))
  const [newest] = (await root.get(`/api/saml-configs/${acme.configId}/sign-ins`)).json()
  expect(newest).toMatchObject({ failure: 'authnContext' })
  await set(acme, { authnContexts: `${card}\n${password}` })
  expect(await attemptWith(acme, subject)).toEqual(signedIn(person))
})

test('only the attributes that the configuration names tell who a person is', async () => {
  const acme = await company(portal)
  const [eva, adam] = [await employee(portal, acme), await employee(portal, acme)]
  const subject = { nameId: adam.email, attributes: { mail: adam.email, 'urn:acme:Primary': eva.email } }
  expect(await attemptWith(acme, subject)).toEqual(signedIn(adam))
  await set(acme, { emailAttribute: 'urn:acme:primary' })
  expect(await attemptWith(acme, subject)).toEqual(signedIn(eva))
  const without = { nameId: adam.email, attributes: { mail: adam.email } }
  expect(await attemptWith(acme, without)).toEqual(refused(/neither a personal number nor/))
})

test('a personal number is read from the attribute that the configuration names, and from no other', async () => {
  const acme = await company(portal)
  const ssn = '199908072391'
  const person = await employee(portal, acme, { ssn, ssnProof: 'bankid' })
  const numbered = (name: string) => ({ nameId: 'x', attributes: { [name]: ssn } })
  await set(acme, { ssnAttribute: 'EmployeeNumber' })
  expect(await attemptWith(acme, numbered('employeenumber'))).toEqual(signedIn(person))
  expect(await attemptWith(acme, numbered('personalIdentityNumber'))).toEqual(refused(/neither a personal number nor/))
})

test.each<[string, object, string]>([
  ['nameIdFormat', { nameIdFormat: 'kerberos' }, 'invalidText'],
  ['authnContexts', { authnContexts: 'not a uri' }, 'invalidContext'],
  ['authnContexts', { authnContexts: [1, 2, 3, 4, 5, 6].map((n) => `urn:x:${n}`).join('\n') }, 'tooManyContexts'],
])('%s refuses what no identity provider understands', async (path, options, message) => {
  const { configId: id } = await company(portal)
  const answer = await root.put('/api/saml-configs', { id, ...options })
  expect([answer.statusCode, answer.json().issues]).toEqual([422, [{ path, message }]])
})
