import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import { isPersonalNumber, normalizedSsn, ssnProblem } from '#contract/fields/ssn-rules.ts'
import type { SignedContent } from './assertion.ts'
import { ensure } from './refusal.ts'

/** Attributes that hold a Swedish personal identity number, in lower case: Sweden Connect, SWAMID, Sambi, and plain names. */
const ssnNames = new Set([
  'urn:oid:1.2.752.29.4.13',
  'urn:oid:1.3.6.1.4.1.2428.90.1.5',
  'http://schemas.sambi.se/attributes/1/personalidentitynumber',
  ...['personalidentitynumber', 'noredupersonnin', 'personalnumber', 'personnummer', 'ssn', 'socialsecuritynumber'],
])
/** Attributes that hold an e-mail address: LDAP, Entra and ADFS, and plain names. */
const emailNames = new Set([
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ...['mail', 'email', 'emailaddress'],
])
/** Attributes that hold a given name and a surname, in the same order. */
const firstNames = new Set([
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  ...['givenname', 'given_name', 'firstname'],
])
const lastNames = new Set([
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
  ...['sn', 'surname', 'family_name', 'lastname'],
])
/** Formats of name identifiers that may be an e-mail address. */
const emailFormats = new Set([
  undefined,
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
])

/** For the trace. */
export const groupsLeftOut = 'the groups are too many for the answer, so that rules about them were not asked'
/** Where Entra ID says groups, as itself or as roles. */
export const groupNames: ReadonlySet<string> = new Set([
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  'http://schemas.microsoft.com/ws/2008/06/identity/claims/role',
  ...['groups', 'roles'],
])

/** The identity of a user, in our terms. */
export interface Claims {
  /** Normalised. */
  ssn: string | undefined
  /** Normalised; a user may have several. */
  emails: string[]
  /** For an account that is created. */
  firstName?: string | undefined
  lastName?: string | undefined
  /** What was asserted, by names in lower case, without personal numbers: what groups' rules ask. It is not stored. */
  attributes?: ReadonlyMap<string, readonly string[]>
  /** What the answer leaves out because it is too much, in lower case: about that, rules know nothing. */
  unsaid?: ReadonlySet<string>
  /** What was asserted and cannot be used, in words for the trace. */
  ignored?: readonly string[]
}

/** Which attributes a configuration names; null: those above. */
export interface Mapping {
  ssnAttribute: string | null
  emailAttribute: string | null
  /** The NameID is the address, whatever its format. */
  nameIdIsEmail: boolean
  firstNameAttribute: string | null
  lastNameAttribute: string | null
}
const noMapping: Mapping = {
  ssnAttribute: null,
  emailAttribute: null,
  nameIdIsEmail: false,
  firstNameAttribute: null,
  lastNameAttribute: null,
}

/**
 * Extracts the user's identity from an assertion. A value that cannot be used is ignored, as an empty one is; what is left
 * decides.
 *
 * @throws Refusal when there are two personal numbers, or no identifier at all
 */
export function extractClaims(
  { attributes, nameId = '', nameIdFormat }: SignedContent,
  mapping: Mapping = noMapping,
): Claims {
  const { ssnAttribute, emailAttribute, nameIdIsEmail, firstNameAttribute, lastNameAttribute } = mapping
  const valuesOf = (names: ReadonlySet<string>) =>
    [...attributes].flatMap(([name, values]) => (names.has(name.toLowerCase()) ? values.filter(isFilled) : []))
  const numbers = new Set(valuesOf(namesOr(ssnAttribute, ssnNames)).map(normalizedSsn))
  const ssns = [...numbers].filter(isProperSsn)
  ensure(ssns.length <= 1, 'the assertion has two personal numbers', 'attributes')
  const [ssn] = ssns
  const named = valuesOf(namesOr(emailAttribute, emailNames))
  // A configuration that names the attribute wants no other address.
  const mayBeNameId = nameIdIsEmail || (emailAttribute === null && emailFormats.has(nameIdFormat))
  const fromNameId = mayBeNameId && isFilled(nameId) ? [nameId] : []
  const sources = nameIdIsEmail ? [fromNameId, named] : [named, fromNameId]
  const emails = sources.map(usableEmails).find((usable) => usable.size > 0) ?? new Set()
  const [firstName, lastName] = [namesOr(firstNameAttribute, firstNames), namesOr(lastNameAttribute, lastNames)].map(
    (names) => valuesOf(names).map((value) => z.safeParse(requiredName(), value).data),
  )
  const said = forRules(attributes, namesOr(ssnAttribute, ssnNames))
  const hasTooManyGroups = said.has('http://schemas.microsoft.com/claims/groups.link')
  const ignored = [
    ...(ssns.length < numbers.size ? ['a personal number that cannot be used was ignored'] : []),
    ...(sources.some((one) => one.some((address) => !isEmail(address)))
      ? ['an e-mail address that cannot be used was ignored']
      : []),
    ...([firstName, lastName].flat().includes(undefined) ? ['a name that cannot be used was ignored'] : []),
    ...(hasTooManyGroups ? [groupsLeftOut] : []),
  ]
  ensure(
    ssn !== undefined || emails.size > 0,
    ['the assertion has neither a personal number nor an e-mail address', ...ignored].join('; '),
    'attributes',
  )
  return {
    ssn,
    emails: [...emails],
    firstName: firstName?.find(isFilled),
    lastName: lastName?.find(isFilled),
    attributes: said,
    ...(hasTooManyGroups && { unsaid: groupNames }),
    ignored,
  }
}

/** What rules may ask, by names in lower case: an admin who tries rules finds out no personal number. */
export function forRules(
  attributes: Iterable<readonly [string, readonly string[]]>,
  numberNames: ReadonlySet<string>,
): Map<string, string[]> {
  const named = new Map<string, string[]>()
  for (const [name, values] of attributes) {
    const key = name.toLowerCase()
    if (ssnNames.has(key) || numberNames.has(key)) continue
    named.set(key, [...(named.get(key) ?? []), ...values.filter((one) => isFilled(one) && !isPersonalNumber(one))])
  }
  return named
}

const isFilled = (value: string | undefined): value is string => value !== undefined && value.trim() !== ''
const emailOf = (address: string) => z.safeParse(emailField, address).data
const isEmail = (address: string) => emailOf(address) !== undefined
const usableEmails = (addresses: readonly string[]) => new Set(addresses.flatMap((address) => emailOf(address) ?? []))

const namesOr = (chosen: string | null, usual: ReadonlySet<string>) =>
  chosen === null ? usual : new Set([chosen.toLowerCase()])

// Placeholders, which administrators enter for unknown numbers, do not identify anyone. Nor do numbers of another kind:
// coordination numbers, those of other countries, of ten digits, of the staff.
const isProperSsn = (ssn: string) => /^[0-9]{12}$/.test(ssn) && ssnProblem(ssn) === undefined
