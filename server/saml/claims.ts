import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import { ssnProblem } from '#contract/ssn-rules.ts'
import { normalizeSsn } from '#server/platform/secrets/ssn.ts'
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
/** Formats of name identifiers that may be an e-mail address. */
const emailFormats = new Set([
  undefined,
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
])

/** The identity of a user, in our terms. */
export interface Claims {
  /** Normalised. */
  ssn: string | undefined
  /** Normalised; a user may have several. */
  emails: string[]
}

/** Which attributes a configuration names; null: those above. */
export interface Mapping {
  ssnAttribute: string | null
  emailAttribute: string | null
}
const noMapping: Mapping = { ssnAttribute: null, emailAttribute: null }

/**
 * Extracts the user's identity from an assertion.
 *
 * @throws Refusal when there are two personal numbers, or no identifier at all
 */
export function extractClaims(
  { attributes, nameId, nameIdFormat }: SignedContent,
  { ssnAttribute, emailAttribute }: Mapping = noMapping,
): Claims {
  const valuesOf = (names: ReadonlySet<string>) =>
    [...attributes].flatMap(([name, values]) => (names.has(name.toLowerCase()) ? values : []))
  const ssns = new Set(
    valuesOf(namesOr(ssnAttribute, ssnNames))
      .filter((value) => value !== '')
      .map(normalizeSsn),
  )
  ensure(ssns.size <= 1, 'the assertion has two personal numbers', 'attributes')
  const [ssn] = ssns
  ensure(ssn === undefined || isProperSsn(ssn), 'the assertion has an invalid personal number', 'attributes')
  const named = valuesOf(namesOr(emailAttribute, emailNames))
  // A configuration that names the attribute wants no other address.
  const isNameId = named.length === 0 && emailAttribute === null && emailFormats.has(nameIdFormat)
  const addresses = isNameId && nameId ? [nameId] : named
  const emails = new Set(addresses.flatMap((address) => z.safeParse(emailField, address).data ?? []))
  ensure(
    ssn !== undefined || emails.size > 0,
    'the assertion has neither a personal number nor an e-mail address',
    'attributes',
  )
  return { ssn, emails: [...emails] }
}

const namesOr = (chosen: string | null, usual: ReadonlySet<string>) =>
  chosen === null ? usual : new Set([chosen.toLowerCase()])

// Placeholders, which administrators enter for unknown numbers, do not identify anyone.
const isProperSsn = (ssn: string) => /^[0-9]{12}$/.test(ssn) && ssnProblem(ssn) === undefined
