/** The schemas of SCIM that the portal knows (RFC 7643). */
export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** What an attribute holds. Of several values, each is an object; a single value with parts is one, too. */
export interface Attribute {
  kind: 'string' | 'boolean' | 'complex'
  many?: boolean
  parts?: Readonly<Record<string, Attribute>>
  /** The longest text, where it is shorter than of others. */
  most?: number
}

const text: Attribute = { kind: 'string' }
/** By which people and groups are found: an index holds no longer text. */
const found: Attribute = { kind: 'string', most: 254 }
const flag: Attribute = { kind: 'boolean' }
const group = (...names: string[]): Attribute => ({
  kind: 'complex',
  parts: Object.fromEntries(names.map((name) => [name, text])),
})
const values = (...names: string[]): Attribute => ({
  kind: 'complex',
  many: true,
  parts: { ...group(...names).parts, type: text, primary: flag },
})

/** The attributes of a person that are kept as the directory sends them. Everything else is left out, and the log says so. */
export const userAttributes: Readonly<Record<string, Attribute>> = {
  userName: found,
  externalId: found,
  active: flag,
  name: group('formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'),
  displayName: text,
  nickName: text,
  profileUrl: text,
  title: text,
  userType: text,
  preferredLanguage: text,
  locale: text,
  timezone: text,
  emails: { ...values('display'), parts: { value: found, ...values('display').parts } },
  phoneNumbers: values('value', 'display'),
  addresses: values('formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country'),
  [enterpriseUser]: {
    kind: 'complex',
    parts: {
      ...group('employeeNumber', 'costCenter', 'organization', 'division', 'department').parts,
      manager: group('value', 'displayName', '$ref'),
    },
  },
}

/** The attributes of a group. */
export const groupAttributes = {
  displayName: found,
  externalId: found,
  members: { kind: 'complex', many: true, parts: group('value', 'display', '$ref', 'type').parts ?? {} },
} satisfies Readonly<Record<string, Attribute>>

/** Finds an attribute, or a part, whatever the case of its name (RFC 7643, 2.1). */
export function findAttribute(
  attributes: Readonly<Record<string, Attribute>> | undefined,
  written: string,
): [name: string, attribute: Attribute] | undefined {
  const wanted = written.toLowerCase()
  return Object.entries(attributes ?? {}).find(([name]) => name.toLowerCase() === wanted)
}
