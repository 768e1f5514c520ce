import type { IDToken } from 'openid-client'
import { canonicalDomain, canonicalEmail } from '#contract/canonical-email.ts'
import { type Claims, extractClaims } from '#server/saml/claims.ts'
import { ensure } from '#server/saml/refusal.ts'

/** One issuer for all customers of Google: only `hd` tells a company's accounts from the rest of the world. */
export const googleIssuer = 'https://accounts.google.com'

/** Claims that may hold a personal number: that of the Swedish OpenID Connect profile, and plain names. */
const numberClaims = [
  'https://id.oidc.se/claim/personalIdentityNumber',
  ...['personalIdentityNumber', 'personalNumber', 'personnummer', 'ssn'],
]

/**
 * Extracts the person's identity from a verified ID token, by the rules for assertions. An address counts only where the
 * provider has verified it, or says nothing of that and it is in a domain of the configuration: in many directories people
 * type it themselves.
 *
 * @throws Refusal when nothing in it identifies a person
 */
export function extractTokenClaims(token: IDToken, mailDomains: readonly string[]): Claims {
  const { iss, hd, email, email_verified: isVerified } = token
  ensure(
    iss !== googleIssuer || (typeof hd === 'string' && isWithin(canonicalDomain(hd), mailDomains)),
    'the account is not of this organisation at Google',
    'issuer',
  )
  const numbers = numberClaims.map((name) => token[name]).filter((value) => typeof value === 'string')
  // Entra ID says nothing of verification. Some providers write booleans as text.
  const isDenied = isVerified !== undefined && String(isVerified) !== 'true'
  const isTrusted =
    typeof email === 'string' && (isVerified === true || (!isDenied && isWithin(domainOf(email), mailDomains)))
  ensure(
    isTrusted || typeof email !== 'string' || numbers.length > 0,
    isDenied
      ? 'the provider says that the e-mail address is not verified'
      : 'the e-mail address is outside the domains, and the provider has not verified it',
    'attributes',
  )
  return extractClaims({
    issuer: iss,
    attributes: new Map([
      ['ssn', numbers],
      ['email', isTrusted ? [email] : []],
      ...['given_name', 'family_name'].map((name) => [name, [token[name]].filter(isText)] as const),
    ]),
    nameId: undefined,
    nameIdFormat: undefined,
  })
}

// The canonical form takes quadratic time.
const domainOf = (email: string) => (email.length > 320 ? '' : (canonicalEmail(email).split('@').at(-1) ?? ''))

const isWithin = (domain: string, mailDomains: readonly string[]) =>
  mailDomains.some((one) => `.${domain}`.endsWith(`.${one}`))

const isText = (value: unknown): value is string => typeof value === 'string'
