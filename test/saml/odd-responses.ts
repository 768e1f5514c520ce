import { nameIdFormats, type Subject } from '#simulators/saml-idp/answer.ts'
import type { Asked } from './company.ts'

/** What a part becomes: null is left out, a text is its value. */
type Value = string | null | ((asked: Asked) => string)

/** A part of a response, what it is made into, and whether the person is signed in all the same. */
export interface Part {
  name: string
  where: 'response' | 'assertion'
  element: string
  attribute?: string
  /** Who the response names. */
  subject: 'by name' | 'by attribute'
  /** Further values, beside its absence and emptiness. */
  wrong: Record<string, Value>
  /** The values with which the person is signed in. */
  taken: string[]
  /** Why they may be. */
  because?: string
}

const seconds = (number: number) => (asked: Asked) => new Date(asked.now.getTime() + number * 1000).toISOString()
const elsewhere = 'https://elsewhere.example/'
const entity = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity'

type Row = [name: string, wrong?: Part['wrong'], taken?: string[], because?: string]
const unread = 'nothing is read from it'

/** `Response ID` is an attribute, `Response/Status` an element. */
const response: Row[] = [
  [
    'Response ID',
    { 'another one': '_other' },
    ['absent', 'empty', 'another one'],
    `outside the signed assertion; ${unread}`,
  ],
  ['Response Version', { '1.1': '1.1', '3.0': '3.0' }],
  [
    'Response IssueInstant',
    {
      'no time': 'yesterday',
      'with an offset': '2026-03-02T08:00:00+01:00',
      'a day later': seconds(86_400),
      'years ago': '2018-01-01T00:00:00Z',
    },
    ['absent', 'years ago'],
    'the confirmation in the signed assertion says until when it is good',
  ],
  [
    'Response InResponseTo',
    { 'of another request': '_other' },
    ['absent'],
    'the confirmation in the signed assertion names the request',
  ],
  [
    'Response Destination',
    { 'another address': elsewhere },
    ['absent'],
    'only a signed response must have one; Recipient in the assertion is checked',
  ],
  ['Response/Issuer', { 'another one': elsewhere }, ['absent'], 'the issuer of the signed assertion is checked'],
  [
    'Issuer Format',
    { entity, persistent: nameIdFormats.persistent },
    ['absent', 'empty', 'entity', 'persistent'],
    unread,
  ],
  ['Response/Status'],
  ['Status/StatusCode'],
  [
    'StatusCode Value',
    {
      'of a failure': 'urn:oasis:names:tc:SAML:2.0:status:Responder',
      'without its beginning': 'Success',
      'in capitals': 'urn:oasis:names:tc:SAML:2.0:status:SUCCESS',
    },
  ],
]

const assertion: Row[] = [
  ['Assertion ID', { 'that begins with a digit': '1abc' }],
  ['Assertion Version', { '1.1': '1.1', '3.0': '3.0' }],
  [
    'Assertion IssueInstant',
    { 'no time': 'yesterday', 'a day later': seconds(86_400), 'years ago': '2018-01-01T00:00:00Z' },
    ['absent', 'years ago'],
    'the confirmation says until when it is good',
  ],
  ['Assertion/Issuer', { 'another one': elsewhere }],
  [
    'Issuer Format',
    { entity, persistent: nameIdFormats.persistent },
    ['absent', 'empty', 'entity', 'persistent'],
    unread,
  ],
  ['Assertion/Subject'],
  ['Subject/NameID', { 'somebody else': 'nobody@elsewhere.example', 'two lines': 'a\nb' }],
  [
    'NameID Format',
    { persistent: nameIdFormats.persistent, unspecified: nameIdFormats.unspecified, 'made up': 'urn:x' },
    ['absent', 'unspecified'],
    'an address may stand there',
  ],
  [
    'NameID NameQualifier',
    { 'another one': elsewhere },
    ['absent', 'empty', 'another one'],
    'it is kept for a sign-out, and names nobody',
  ],
  [
    'NameID SPNameQualifier',
    { 'another one': elsewhere },
    ['absent', 'empty', 'another one'],
    'it is kept for a sign-out, and names nobody',
  ],
  ['Subject/SubjectConfirmation'],
  [
    'SubjectConfirmation Method',
    {
      'by a key': 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key',
      'by the sender': 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches',
    },
  ],
  ['SubjectConfirmation/SubjectConfirmationData'],
  [
    'SubjectConfirmationData Recipient',
    {
      'another address': elsewhere,
      'with more behind': ({ acsUrl }) => `${acsUrl}/x`,
      'in capitals': ({ acsUrl }) => acsUrl.toUpperCase(),
    },
  ],
  ['SubjectConfirmationData InResponseTo', { 'of another request': '_other' }],
  [
    'SubjectConfirmationData NotOnOrAfter',
    { 'no time': 'tomorrow', over: seconds(-60), 'with an offset': '2027-03-02T08:00:00+01:00' },
  ],
  [
    'SubjectConfirmationData NotBefore',
    { 'no time': 'now', 'in a minute': seconds(60) },
    ['absent'],
    'the profile forbids it, and it is checked where it stands',
  ],
  [
    'SubjectConfirmationData Address',
    { 'another one': '192.0.2.7' },
    ['absent', 'empty', 'another one'],
    'browsers change networks; the profile leaves the check open',
  ],
  ['Assertion/Conditions'],
  ['Conditions NotBefore', { 'no time': 'now', 'in a minute': seconds(60) }, ['absent'], 'it is optional'],
  [
    'Conditions NotOnOrAfter',
    { 'no time': 'tomorrow', over: seconds(-60) },
    ['absent'],
    'it is optional; the confirmation has an end',
  ],
  ['Conditions/AudienceRestriction'],
  [
    'AudienceRestriction/Audience',
    { 'another one': elsewhere, 'that begins like ours': ({ audience }) => `${audience}x` },
  ],
  [
    'Assertion/AuthnStatement',
    {},
    ['empty'],
    'what it says counts only where the configuration or a fresh sign-in asks for it',
  ],
  [
    'AuthnStatement AuthnInstant',
    { 'no time': 'now', 'years ago': '2018-01-01T00:00:00Z', 'a day later': seconds(86_400) },
    ['absent', 'empty', 'no time', 'years ago', 'a day later'],
    'it counts only where the person had to sign in again',
  ],
  [
    'AuthnStatement SessionIndex',
    { 'another one': '_other' },
    ['absent', 'empty', 'another one'],
    'it is kept for a sign-out',
  ],
  ['AuthnStatement SessionNotOnOrAfter', { 'no time': 'tomorrow', over: seconds(-60) }, ['absent'], 'it is optional'],
  ['AuthnStatement/AuthnContext', {}, ['absent', 'empty'], 'it counts only where the configuration asks for one'],
  [
    'AuthnContext/AuthnContextClassRef',
    { 'another one': 'urn:x' },
    ['absent', 'empty', 'another one'],
    'it counts only where the configuration asks for one',
  ],
]

/** Of a response that names the person by an attribute. */
const attributes: Row[] = [
  ['Subject/NameID', { 'another one': 'opaque' }, ['absent', 'empty', 'another one'], 'the attribute names the person'],
  ['Assertion/AttributeStatement'],
  ['AttributeStatement/Attribute'],
  ['Attribute Name', { 'of another attribute': 'department', 'of no meaning': 'constructor' }],
  ['Attribute FriendlyName', { 'of the address': 'mail' }, ['absent', 'empty', 'of the address'], 'it is for people'],
  ['Attribute NameFormat', { 'made up': 'urn:x' }, ['absent', 'empty', 'made up'], 'names are compared without it'],
  [
    'Attribute/AttributeValue',
    {
      'somebody else': 'nobody@elsewhere.example',
      'no address': 'nobody',
      markup: '<x xmlns="urn:x">eva@acme.example</x>',
    },
  ],
]

const partOf =
  (where: Part['where'], subject: Part['subject']) =>
  ([name, wrong = {}, taken = [], because]: Row): Part => {
    const [parent = '', child = ''] = name.split(/[ /]/)
    const target = name.includes('/') ? { element: child } : { element: parent, attribute: child }
    return { name, where, subject, wrong, taken, ...target, ...(because && { because }) }
  }

export const parts: Part[] = [
  ...response.map(partOf('response', 'by name')),
  ...assertion.map(partOf('assertion', 'by name')),
  ...attributes.map(partOf('assertion', 'by attribute')),
]

/** What each part is made into. */
export const valuesOf = ({ wrong }: Part): Record<string, Value> => ({ absent: null, empty: '', ...wrong })

export const subjectOf = ({ subject }: Part, email: string): Subject =>
  subject === 'by name'
    ? { nameId: email }
    : { nameId: 'opaque', nameIdFormat: nameIdFormats.persistent, attributes: { mail: email } }

/** Changes one part of the text of an unsigned response. */
export function withPart(xml: string, { where, element, attribute }: Part, value: string | null): string {
  const cut = xml.indexOf('<saml:Assertion')
  const [before, after] = [xml.slice(0, cut), xml.slice(cut)]
  const change = (text: string) =>
    attribute ? withAttribute(text, element, attribute, value) : withContent(text, element, value)
  return where === 'response' ? change(before) + after : before + change(after)
}

function withAttribute(text: string, element: string, attribute: string, value: string | null): string {
  const given = value === null ? '' : ` ${attribute}="${value}"`
  return text.replace(
    new RegExp(`<\\w+:${element}\\b[^>]*?(?=/?>)`),
    (tag) => `${tag.replace(new RegExp(` ${attribute}="[^"]*"`), '')}${given}`,
  )
}

function withContent(text: string, element: string, value: string | null): string {
  const whole = new RegExp(`<(\\w+:${element})\\b([^>]*?)(?:/>|>.*?</\\1>)`, 's')
  return text.replace(whole, (_, name: string, attributes: string) =>
    value === null ? '' : value === '' ? `<${name}/>` : `<${name}${attributes}>${value}</${name}>`,
  )
}
