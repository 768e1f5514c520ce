/** The schemas of SCIM that the portal knows (RFC 7643). */
export const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUser = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** What an attribute holds. Of several values, each is an object; a single value with parts is one, too. */
export interface Attribute {
  kind: 'string' | 'boolean' | 'dateTime' | 'complex'
  many?: boolean
  parts?: Readonly<Record<string, Attribute>>
  /** The longest text, where it is shorter than of others. */
  most?: number
  /** A boolean without which nobody is in or out: what cannot be read, and its removal, is refused and not left out. */
  strict?: boolean
  /** What the directory says of it counts once, or not at all; default: it changes it as it likes. */
  mutability?: 'immutable' | 'readOnly'
  /** An index finds an equal value. */
  indexed?: boolean
  /** Filters tell capitals from small letters. */
  exact?: boolean
}

const text: Attribute = { kind: 'string' }
/** By which people and groups are found: an index holds no longer text. */
const found: Attribute = { kind: 'string', most: 254, indexed: true }
const given: Attribute = { ...text, mutability: 'readOnly' }
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
  externalId: { ...found, exact: true },
  active: { ...flag, strict: true },
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
  externalId: { ...found, exact: true },
  members: {
    kind: 'complex',
    many: true,
    parts: {
      value: { ...text, mutability: 'immutable', indexed: true },
      // Of the person: whatever a directory writes here is its own.
      ...{ display: given, $ref: given, type: given },
    },
  },
} satisfies Readonly<Record<string, Attribute>>

/** Finds an attribute, or a part, whatever the case of its name (RFC 7643, 2.1). */
export function findAttribute(
  attributes: Readonly<Record<string, Attribute>> | undefined,
  written: string,
): [name: string, attribute: Attribute] | undefined {
  const wanted = written.toLowerCase()
  return Object.entries(attributes ?? {}).find(([name]) => name.toLowerCase() === wanted)
}

/** What the server says of each resource: directories look for it, and change none of it. */
const ofServer: Readonly<Record<string, Attribute>> = {
  id: { ...text, indexed: true },
  schemas: { kind: 'complex', many: true, parts: { value: text } },
  meta: {
    kind: 'complex',
    parts: {
      ...group('resourceType', 'location', 'version').parts,
      created: { kind: 'dateTime' },
      lastModified: { kind: 'dateTime' },
    },
  },
}
export const isOfServer = (name: string): boolean => locate(ofServer, name) !== undefined

/** By what filters find people and groups: all that is kept, and what the server adds. */
export const userFilters = { ...userAttributes, ...ofServer }
export const groupFilters = { ...groupAttributes, ...ofServer }

/** Where a name leads. */
export interface Place {
  attribute: Attribute
  /** From the outside in. */
  names: string[]
  /** The attribute with several values in which it is. */
  list?: Attribute | undefined
}

/** Finds `name.givenName`, `emails.value`, `urn:…:User:manager.displayName`. @returns undefined for what is not kept */
export function locate(attributes: Readonly<Record<string, Attribute>>, written: string): Place | undefined {
  const [outer, ...inner] = split(attributes, written)
  const [name, outermost] = findAttribute(attributes, outer ?? '') ?? []
  if (name === undefined || !outermost) return undefined
  const place: Place = { attribute: outermost, names: [name], ...(outermost.many && { list: outermost }) }
  for (const part of inner) {
    const [partName, next] = findAttribute(place.attribute.parts, part) ?? []
    if (partName === undefined || !next) return undefined
    place.names.push(partName)
    place.attribute = next
  }
  return place
}

/** The names from the outside in. The name of a schema has dots and colons itself. */
function split(attributes: Readonly<Record<string, Attribute>>, written: string): string[] {
  const startsWith = (schema: string) =>
    `${written}:`.slice(0, schema.length + 1).toLowerCase() === `${schema}:`.toLowerCase()
  const core = [coreUser, coreGroup].find(startsWith)
  if (core) return written.slice(core.length + 1).split('.')
  const extension = Object.keys(attributes).find((name) => name.startsWith('urn:') && startsWith(name))
  if (!extension) return written.split('.')
  const rest = written.slice(extension.length + 1)
  return [extension, ...(rest === '' ? [] : rest.split('.'))]
}
