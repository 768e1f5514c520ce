import { describe, expect, test } from 'vitest'
import { type ClaimNames, extractTokenClaims } from './token-claims.ts'

const own = 'https://login.acme.se'
const usual = { emailAttribute: null, ssnAttribute: null, firstNameAttribute: null, lastNameAttribute: null }
const read = (claims: object, iss = own, names: Partial<ClaimNames> = {}) =>
  extractTokenClaims({ iss, aud: 'portal', sub: 'eva@acme.se', iat: 0, exp: 1, ...claims }, ['acme.se'], {
    ...usual,
    ...names,
  })

test.each<[string, object]>([
  ['in the own domain', { email: 'Eva@Acme.se' }],
  ['in a subdomain', { email: 'eva@it.acme.se' }],
  ['in the domain, verified in words', { email: 'eva@acme.se', email_verified: 'true' }],
  ['elsewhere, verified', { email: 'eva@gmail.com', email_verified: true }],
])('an address %s counts', (_, claims) => {
  expect(read(claims).emails).toHaveLength(1)
})

test.each<[string, object]>([
  ['elsewhere that nobody verified', { email: 'boss@other.se' }],
  ['in the domain that the provider calls unverified', { email: 'eva@acme.se', email_verified: false }],
  ['in the domain that the provider calls unverified in words', { email: 'eva@acme.se', email_verified: 'false' }],
  ['elsewhere that is verified only in words', { email: 'boss@other.se', email_verified: 'true' }],
  ['that only ends like the own domain', { email: 'boss@notacme.se' }],
  ['under a name that has no rule', { mail: 'eva@acme.se', Email: 'eva@acme.se', upn: 'eva@acme.se' }],
  ['of many', { email: ['eva@acme.se', 'boss@other.se'] }],
  ['without a name', { email: 'acme.se' }],
])('an address %s names nobody', (_, claims) => {
  expect(() => read(claims)).toThrow(
    /neither a personal number nor an e-mail address|outside the domain|is not verified/,
  )
})

test('an account of Google counts only with the own domain as its organisation', () => {
  const google = 'https://accounts.google.com'
  const email = { email: 'eva@acme.se', email_verified: true }
  expect(read({ ...email, hd: 'acme.se' }, google).emails).toEqual(['eva@acme.se'])
  for (const hd of [undefined, 'other.se', 'notacme.se'])
    expect(() => read({ ...email, hd }, google)).toThrow('not of this organisation')
})

test('a personal number is read, and two that differ are refused', () => {
  expect(read({ 'https://id.oidc.se/claim/personalIdentityNumber': '19811228-9874' }).ssn).toBe('198112289874')
  expect(() => read({ ssn: '198112289874', personnummer: '191212121212' })).toThrow('two personal numbers')
})

test('a personal number that cannot be used is ignored', () => {
  for (const ssn of [
    '197010632391',
    '9908072391',
    'E-10442',
    10442,
    null,
    { number: '199908072391' },
    ['saknas'],
    true,
  ])
    expect(read({ email: 'eva@acme.se', ssn })).toMatchObject({ ssn: undefined, emails: ['eva@acme.se'] })
  expect(read({ email: 'eva@acme.se', ssn: 'E-10442' }).ignored).toEqual([expect.stringContaining('personal number')])
  expect(read({ email: 'eva@acme.se', ssn: ['198112289874', 'E-10442'] }).ssn).toBe('198112289874')
})

test('an empty claim, or one of another kind, is no claim', () => {
  const claims = {
    email: 'eva@acme.se',
    ssn: '',
    given_name: null,
    family_name: ['', 'Ek'],
    locale: 7,
    phone_number: '?',
  }
  expect(read(claims)).toMatchObject({ ssn: undefined, emails: ['eva@acme.se'], lastName: 'Ek', ignored: [] })
})

test('the claims that the configuration names are read, and no others', () => {
  const names = { ssnAttribute: 'number', firstNameAttribute: 'nick', lastNameAttribute: 'clan' }
  const claims = { email: 'eva@acme.se', number: '198112289874', nick: 'Eva', clan: 'Ek', given_name: 'X', ssn: '1' }
  expect(read(claims, own, names)).toMatchObject({ ssn: '198112289874', firstName: 'Eva', lastName: 'Ek', ignored: [] })
})

describe('a claim that the configuration names in place of email', () => {
  test.each<[string, object]>([
    ['upn', { upn: 'Eva@acme.se' }],
    ['preferred_username', { preferred_username: 'eva@acme.se', email: 'eva@gmail.com', email_verified: false }],
    ['preferred_username', { preferred_username: 'eva@acme.se', email_verified: false }],
    ['emails', { emails: ['eva@acme.se'] }],
    ['emails', { emails: ['eva@gmail.com', 'eva@acme.se', '', 7, null] }],
    ['emails', { emails: 'eva@acme.se' }],
  ])('%s counts inside the domain', (emailAttribute, claims) => {
    expect(read(claims, own, { emailAttribute }).emails).toEqual(['eva@acme.se'])
  })

  test.each<[string, object]>([
    ['upn', { upn: 'boss@other.se' }],
    ['upn', { upn: 'boss@other.se', email_verified: true }],
    ['upn', { upn: 'boss@other.se', email: 'boss@other.se', email_verified: true }],
    ['upn', { upn: 'eva@acme.se', email: 'EVA@acme.se', email_verified: false }],
    ['upn', { upn: 'eva' }],
    ['upn', { email: 'eva@acme.se', email_verified: true }],
    ['preferred_username', { preferred_username: 'boss@notacme.se' }],
    ['emails', { emails: ['boss@other.se'], email_verified: true }],
    ['emails', { emails: ['eva@acme.se'], email_verified: false }],
    ['emails', { emails: ['eva@acme.se'], email_verified: 'false' }],
    ['emails', { emails: [['eva@acme.se']] }],
    ['constructor', {}],
  ])('%s names nobody where it is outside the domain, or denied: %j', (emailAttribute, claims) => {
    expect(() => read(claims, own, { emailAttribute })).toThrow(
      /neither a personal number nor an e-mail address|outside the domain|is not verified/,
    )
  })
})
