import { describe, expect, test } from 'vitest'
import { answerTo, nameIdFormats, responseXml } from '#simulators/saml-idp/answer.ts'
import { sign } from '#simulators/saml-idp/signed-answer.ts'
import { attempt, refused, signedIn } from '#test/saml/attempt.ts'
import { type Asked, employee } from '#test/saml/company.ts'
import { portalWithCompany } from '#test/saml/portal-with-company.ts'

const { portal, theirs, person } = await portalWithCompany()
const root = await portal.signedIn(await portal.person({ superUser: true }))

interface Asserted {
  nameId?: string
  nameIdFormat?: string
  attributes?: Record<string, readonly string[]>
  /** The text of attributes. */
  raw?: string
}
const attributeXml = (name: string, values: readonly string[]) =>
  `<saml:Attribute Name="${name}">${values.map((one) => `<saml:AttributeValue>${one}</saml:AttributeValue>`).join('')}</saml:Attribute>`

/** The company signs an answer with these values. */
const attemptWith = ({ nameId = person.email, nameIdFormat, attributes = {}, raw = '' }: Asserted) =>
  attempt(portal, {
    company: theirs,
    craft: (asked: Asked) => {
      const answer = answerTo(asked, { nameId, ...(nameIdFormat ? { nameIdFormat } : {}) })
      const all = Object.entries(attributes).map(([name, values]) => attributeXml(name, values))
      const statement = `<saml:AttributeStatement>${all.join('')}${raw}</saml:AttributeStatement></saml:Assertion>`
      return sign(responseXml(answer).replace('</saml:Assertion>', statement), answer.assertionId, theirs.key)
    },
  })
const newest = async () => (await root.get(`/api/saml-configs/${theirs.configId}/sign-ins`)).json()[0]
const set = (options: object) => root.put('/api/saml-configs', { id: theirs.configId, ...options })

describe('a person signs in although the answer has an optional value that cannot be used', () => {
  test.each<[string, string]>([
    ['a coordination number', '197010632391'],
    ['an interim number', '19990807T239'],
    ['a number of Finland', '131052-308T'],
    ['a number of Norway', '13097248022'],
    ['ten digits', '9908072391'],
    ['a number of the staff', 'E-10442'],
    ['a text', 'saknas'],
    ['a very long text', 'x'.repeat(3000)],
  ])('as personal number: %s; the trace says so', async (_, number) => {
    expect(await attemptWith({ attributes: { personalIdentityNumber: [number] } })).toEqual(signedIn(person))
    const trace = await newest()
    expect(trace).toMatchObject({ failure: null, detail: 'a personal number that cannot be used was ignored' })
    expect(JSON.stringify(trace)).not.toContain(number)
  })

  test.each<[string, Record<string, readonly string[]>]>([
    ['an empty number', { personalIdentityNumber: [''] }],
    ['an empty address', { mail: [''] }],
    ['blanks as an address', { mail: ['  \n '] }],
    ['an attribute without a value', { mail: [], ssn: [], givenName: [] }],
    ['names that are empty', { givenName: [''], sn: [' '] }],
  ])('%s is no attribute', async (_, attributes) => {
    expect(await attemptWith({ attributes })).toEqual(signedIn(person))
    expect(await newest()).toMatchObject({ failure: null, detail: null })
  })

  test.each<[string, Record<string, readonly string[]>]>([
    ['an address without a domain', { mail: ['eva'] }],
    ['a name that is too long', { givenName: ['x'.repeat(3000)] }],
    ['a phone number, a language and a photo that no one asked for', { mobile: ['?'], lang: ['xx'], photo: ['AAAA'] }],
  ])('%s', async (_, attributes) => {
    expect(await attemptWith({ attributes })).toEqual(signedIn(person))
  })

  test('beside a right number another one of the wrong kind', async () => {
    const numbered = await employee(portal, theirs, { ssn: '199908072391' })
    const attributes = { personalIdentityNumber: ['199908072391'], ssn: ['E-10442'] }
    await set({ assertsNumbers: true })
    expect(await attemptWith({ nameId: 'x', attributes })).toEqual(signedIn(numbered))
    await set({ assertsNumbers: false })
    expect(await attemptWith({ nameId: 'x', attributes })).toEqual(refused(/no such person/))
  })

  test('but a number that cannot be used signs nobody in by itself', async () => {
    const attributes = { personalIdentityNumber: ['197010632391'] }
    expect(await attemptWith({ nameId: 'x', attributes })).toEqual(refused(/neither a personal number nor.*ignored/))
  })
})

describe('of several addresses', () => {
  test('any may be the one of the account', async () => {
    const mail = ['eva@old.example', person.email, 'eva.smith@elsewhere.example']
    expect(await attemptWith({ attributes: { mail } })).toEqual(signedIn(person))
  })

  test('none counts where they are of two accounts', async () => {
    const other = await employee(portal, theirs)
    expect(await attemptWith({ attributes: { mail: [person.email, other.email] } })).toEqual(refused(/no such person/))
  })
})

test('the NameID is the address whatever its format, where the configuration says so', async () => {
  const asserted = { nameIdFormat: nameIdFormats.persistent }
  expect(await attemptWith(asserted)).toEqual(refused(/neither a personal number nor/))
  await set({ nameIdIsEmail: true })
  expect(await attemptWith(asserted)).toEqual(signedIn(person))
  expect(await attemptWith({ ...asserted, attributes: { mail: ['boss@elsewhere.example'] } })).toEqual(signedIn(person))
  await set({ nameIdIsEmail: false })
})

describe('a person of many groups and roles signs in', () => {
  const groups = Array.from({ length: 1015 }, (_, number) => `CN=Grupp ${number},OU=Grupper,OU=IT,DC=ad,DC=acme,DC=se`)
  const roles = Array.from(
    { length: 520 },
    (_, number) =>
      `<saml:Attribute FriendlyName="Role" Name="Role" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic"><saml:AttributeValue xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">role-${number}</saml:AttributeValue></saml:Attribute>`,
  )

  test('1,015 of Active Directory, 520 of Keycloak', async () => {
    const groupAttribute = 'http://schemas.xmlsoap.org/claims/Group'
    expect(await attemptWith({ attributes: { [groupAttribute]: groups } })).toEqual(signedIn(person))
    expect(await attemptWith({ raw: roles.join('') })).toEqual(signedIn(person))
  })

  test('beyond 2,200 attributes and values it is refused, with a message of its own', async () => {
    const many = Array.from({ length: 2200 }, () => 'x')
    expect(await attemptWith({ attributes: { many } })).toEqual(refused(/too many attribute values/))
    expect(await newest()).toMatchObject({ failure: 'attributes' })
  })
})
