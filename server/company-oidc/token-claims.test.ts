import { expect, test } from 'vitest'
import { extractTokenClaims } from './token-claims.ts'

const own = 'https://login.acme.se'
const read = (claims: object, iss = own) =>
  extractTokenClaims({ iss, aud: 'portal', sub: 'eva@acme.se', iat: 0, exp: 1, ...claims }, ['acme.se'])

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
