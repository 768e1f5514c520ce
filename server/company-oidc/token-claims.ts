import type { IDToken } from 'openid-client'
import { canonicalDomain, canonicalEmail } from '#contract/fields/canonical-email.ts'
import { type Claims, extractClaims, forRules, groupNames, groupsLeftOut, type Mapping } from '#server/saml/claims.ts'
import { ensure } from '#server/saml/refusal.ts'

/** One issuer for all customers of Google: only `hd` tells a company's accounts from the rest of the world. */
export const googleIssuer = 'https://accounts.google.com'

/** Claims that may hold a personal number: that of the Swedish OpenID Connect profile, and plain names. */
const numberClaims = [
  'https://id.oidc.se/claim/personalIdentityNumber',
  ...['personalIdentityNumber', 'personalNumber', 'personnummer', 'ssn'],
]

/** Claims with the name of an account, which only looks like an address. */
const userNames = new Set(['upn', 'preferred_username', 'unique_name'])

/** Which claims a configuration names; null: the usual ones. */
export type ClaimNames = Omit<Mapping, 'nameIdIsEmail'>
const usual: ClaimNames = {
  ssnAttribute: null,
  emailAttribute: null,
  firstNameAttribute: null,
  lastNameAttribute: null,
}

/** The claim with the address. */
export const emailClaimOf = ({ emailAttribute }: Pick<ClaimNames, 'emailAttribute'>) => emailAttribute ?? 'email'

/**
 * Extracts the person's identity from a verified ID token, by the rules for assertions. An address counts only where the
 * provider has verified it, or says nothing of that and it is in a domain of the configuration: in many directories people
 * type it themselves. `email_verified` speaks for the claim `email` alone; another one counts only in those domains.
 *
 * @throws Refusal when nothing in it identifies a person
 */
export function extractTokenClaims(token: IDToken, mailDomains: readonly string[], names: ClaimNames = usual): Claims {
  const { iss, hd, email, email_verified: isVerified } = token
  ensure(
    iss !== googleIssuer || (typeof hd === 'string' && isWithin(canonicalDomain(hd), mailDomains)),
    'the account is not of this organisation at Google',
    'issuer',
  )
  const numbers = (names.ssnAttribute ? [names.ssnAttribute] : numberClaims).flatMap((name) => textsOf(token[name]))
  const claim = emailClaimOf(names)
  // `email` is one address.
  const addresses = claim === 'email' ? [email].filter(isText) : textsOf(token[claim])
  // Entra ID says nothing of verification. Some providers write booleans as text.
  const isDenied = isVerified !== undefined && String(isVerified) !== 'true'
  const isDeniedFor = (address: string) =>
    isDenied && (!userNames.has(claim) || (isText(email) && folded(email) === folded(address)))
  const trusted = addresses.filter(
    (address) =>
      (claim === 'email' && isVerified === true) || (!isDeniedFor(address) && isWithin(domainOf(address), mailDomains)),
  )
  ensure(
    trusted.length > 0 || addresses.length === 0 || numbers.length > 0,
    addresses.some(isDeniedFor)
      ? 'the provider says that the e-mail address is not verified'
      : 'the e-mail address is outside the domains, and the provider has not verified it',
    'attributes',
  )
  const claims = extractClaims({
    issuer: iss,
    attributes: new Map([
      ['ssn', numbers],
      ['email', trusted],
      ['given_name', textsOf(token[names.firstNameAttribute ?? 'given_name'])],
      ['family_name', textsOf(token[names.lastNameAttribute ?? 'family_name'])],
    ]),
    nameId: undefined,
    nameIdFormat: undefined,
  })
  const attributes = Object.entries(token).map(([name, value]) => [name, textsOf(value)] as const)
  const numberNames = new Set([...numberClaims, names.ssnAttribute ?? ''].map((name) => name.toLowerCase()))
  const unsaid = leftOut(token)
  const ignored = [...(claims.ignored ?? []), ...(unsaid.size > 0 ? [groupsLeftOut] : [])]
  return { ...claims, attributes: forRules(attributes, numberNames), unsaid, ignored }
}

/** Claims that are held elsewhere (OpenID Connect Core 5.6.2), as Entra ID does with groups above its limit. */
function leftOut({ _claim_names: elsewhere, hasgroups }: IDToken): ReadonlySet<string> {
  const names = typeof elsewhere === 'object' && elsewhere ? Object.keys(elsewhere) : []
  const hasTooManyGroups = names.includes('groups') || String(hasgroups) === 'true'
  return new Set([...names.map((name) => name.toLowerCase()), ...(hasTooManyGroups ? groupNames : [])])
}

// The canonical form takes quadratic time.
const folded = (email: string) => (email.length > 320 ? email : canonicalEmail(email.trim()))
const domainOf = (email: string) => (email.length > 320 ? '' : (folded(email).split('@').at(-1) ?? ''))

const isWithin = (domain: string, mailDomains: readonly string[]) =>
  mailDomains.some((one) => `.${domain}`.endsWith(`.${one}`))

const isText = (value: unknown): value is string => typeof value === 'string'
/** Some providers write numbers as numbers, and send several values. */
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'number' ? String(one) : one)).filter(isText)
