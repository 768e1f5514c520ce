import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { selfSigned } from '#test/saml/certificate.ts'
import { MetadataRefusal } from '../metadata-refusal.ts'
import { createFederationReader } from './federation.ts'

const key = selfSigned({ name: 'federation.example' })
const now = new Date('2026-11-25T12:00:00Z')
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** Signed by xml-crypto, as a federation does: the signature is the first element. */
function signed(xml: string, { by = key, prefixes = [] as string[], info = exclusive, last = exclusive } = {}): string {
  const signing = new SignedXml({
    privateKey: by.privateKey,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: info,
    idAttribute: 'ID',
  })
  signing.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', last],
    inclusiveNamespacesPrefixList: prefixes,
  })
  signing.computeSignature(xml, { prefix: 'ds', location: { reference: '/*', action: 'prepend' } })
  return signing.getSignedXml()
}

function read(
  text: string,
  { entityId = 'https://b.example' as string | null, signer = key.certificate, size = 1000 } = {},
) {
  const reader = createFederationReader({ entityId: entityId ?? undefined, signer, now })
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) reader.write(bytes.subarray(at, at + size))
  return reader.end()
}
const problemOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof MetadataRefusal ? error.problem : (error as Error).message
  }
  return 'read'
}

const entity = (id: string, inside = '') =>
  `<md:EntityDescriptor entityID="${id}"><md:IDPSSODescriptor protocolSupportEnumeration="x">${inside}</md:IDPSSODescriptor></md:EntityDescriptor>`
const odd = `<x:y xmlns:x="urn:x" xmlns:xsi="urn:xsi" b='2 "'	a="1&#10;&#x9;&lt;&amp;" x:a="å" xsi:type="x:q">å &lt;&gt;&amp;&#13;"<![CDATA[<&>]]><!-- gone --><z xmlns="urn:z"><w xmlns=""/></z>\r\n</x:y>`
const group = (inside: string, attributes = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- of a federation -->\n<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:un="urn:used" ID="_f1"${attributes}>\n${inside}\n</md:EntitiesDescriptor>\n`
const aggregate = group(
  entity('https://a.example', odd) + entity('https://b.example', odd) + entity('https://c.example'),
)

describe('the signed metadata of a federation', () => {
  test.each([1, 2, 7, 64, 100_000])('is read in pieces of %i bytes, and gives the one entity', (size) => {
    const text = read(signed(aggregate), { size })
    expect(text).toMatch(/^<md:EntityDescriptor xmlns:md="[^"]+" entityID="https:\/\/b\.example">/)
    expect(text).not.toContain('a.example')
  })
  test('also of one entity, and with namespaces that are to be kept', () => {
    const one = entity('https://b.example', odd).replace(
      '>',
      ' xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ID="_e">',
    )
    expect(read(signed(one))).toContain('https://b.example')
    expect(read(signed(one), { entityId: null })).toContain('https://b.example')
    expect(read(signed(aggregate, { prefixes: ['un', 'md'] }))).toContain('https://b.example')
  })
  test('is refused when anything of it was changed, is of another signer, not signed, or expired', () => {
    const right = signed(aggregate)
    const notSigned =
      /not signed by the key|changed after|does not begin with its signature|not complete|not valid|transformed/
    for (const text of [
      right.replace('https://c.example', 'https://d.example'),
      right.replace('https://b.example', 'https://e.example').replace('https://a.example', 'https://b.example'),
      right.replace('urn:z', 'urn:y'),
      right.replace('ID="_f1"', 'ID="_f2"').replace('URI="#_f1"', 'URI="#_f2"'),
      right.replace('</md:EntitiesDescriptor>', `${entity('https://x.example')}</md:EntitiesDescriptor>`),
      right.replace(/<ds:DigestValue>[^<]+/, '<ds:DigestValue>AAAA'),
      signed(aggregate, { by: selfSigned({ name: 'other.example' }) }),
      aggregate,
      right.slice(0, -40),
      group(entity('https://b.example') + right.replace(/<\?xml[^>]*>/, '')),
    ])
      expect(
        problemOf(() => read(text)),
        text.slice(-200),
      ).toMatch(notSigned)
    expect(
      problemOf(() => read(signed(group(entity('https://b.example'), ' validUntil="2026-11-25T11:59:59Z"')))),
    ).toBe('metadataExpired')
  })
  test('is refused without the entity, or with it twice', () => {
    expect(problemOf(() => read(signed(aggregate), { entityId: 'https://none.example' }))).toBe('metadataNoEntity')
    expect(problemOf(() => read(signed(group(entity('https://b.example') + entity('https://b.example')))))).toBe(
      'metadataEntityTwice',
    )
  })
  test('lists its identity providers with their names where nobody said which, once all of it is verified', () => {
    const saml2 = 'urn:oasis:names:tc:SAML:2.0:protocol'
    const named = (id: string, inRole: string, after = '', protocol = saml2) =>
      `<md:EntityDescriptor entityID=" ${id} "><md:IDPSSODescriptor protocolSupportEnumeration="x ${protocol}">${inRole}</md:IDPSSODescriptor>${after}</md:EntityDescriptor>`
    const name = (language: string, text: string) => `<ui:DisplayName xml:lang="${language}">${text}</ui:DisplayName>`
    const shown = (names: string) =>
      `<md:Extensions><ui:UIInfo xmlns:ui="urn:oasis:names:tc:SAML:metadata:ui">${names}</ui:UIInfo></md:Extensions>`
    const organization =
      '<md:Organization><md:OrganizationDisplayName xml:lang="en">Org &amp; Co</md:OrganizationDisplayName></md:Organization>'
    const text = signed(
      group(
        named('https://a.example', shown(name('en', 'A school') + name('sv', 'En skola')), organization) +
          group(named('https://b.example', shown(name('fi', `${'x'.repeat(200)}`)))).replace(/<\?xml.*?-->/s, '') +
          named('https://c.example', '', organization) +
          named('https://d.example', '') +
          named('https://old.example', '', '', 'urn:oasis:names:tc:SAML:1.1:protocol') +
          '<md:EntityDescriptor entityID="https://service.example"><md:SPSSODescriptor/></md:EntityDescriptor>',
      ).replace('ID="_f1">', 'ID="_f0">'),
    )
    for (const size of [7, 100_000])
      expect(read(text, { entityId: null, size })).toEqual([
        { entityId: 'https://a.example', displayName: 'En skola' },
        { entityId: 'https://b.example', displayName: 'x'.repeat(100) },
        { entityId: 'https://c.example', displayName: 'Org & Co' },
        { entityId: 'https://d.example', displayName: null },
      ])
    const changed = text.replace('En skola', 'En annan')
    expect(problemOf(() => read(changed, { entityId: null }))).toMatch(/changed after it was signed/)
    expect(problemOf(() => read(signed(aggregate), { entityId: null }))).toBe('metadataNoProvider')
  })

  test('that is signed by another canonicalization is refused by that reason', () => {
    const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
    for (const how of [{ info: inclusive }, { last: inclusive }, { info: inclusive, last: inclusive }])
      expect(problemOf(() => read(signed(aggregate, how)))).toBe('metadataCanonicalization')
    const commented = signed(aggregate).replaceAll(`"${exclusive}"`, `"${exclusive}WithComments"`)
    expect(problemOf(() => read(commented))).toBe('metadataCanonicalization')
  })

  test('is refused with a document type, and when it would fill the memory', () => {
    expect(problemOf(() => read(`<!DOCTYPE x [<!ENTITY e "e">]>${signed(aggregate)}`))).toMatch(/document type/)
    expect(problemOf(() => read(`<a b="${'x'.repeat(2_000_000)}"`))).toMatch(/too long/)
    expect(problemOf(() => read(group('<md:a>'.repeat(60))))).toMatch(/nested|begin with its signature/)
  })
  test('is canonicalised as xml-crypto does, whatever stands in it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'å', '&amp;', '&#13;', '&gt;', ' ', '\n', '\t', '"') })
    const prefix = fc.constantFrom('', 'p:', 'q:')
    const node = fc.letrec<{ node: string }>((tie) => ({
      node: fc
        .tuple(
          prefix,
          fc.constantFrom('', ' xmlns:p="urn:1"', ' xmlns:p="urn:2" xmlns="urn:d"', ' xmlns=""'),
          prefix,
          text,
          text,
          fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('node'), { maxLength: 3 })),
        )
        .map(
          ([own, spaces, of, value, inside, children]) =>
            `<${own}n${spaces} ${of}k="${value.replaceAll('"', '')}">${inside}${children.join('')}</${own}n>`,
        ),
    })).node
    fc.assert(
      fc.property(node, (inside) => {
        const xml = group(
          `<md:Extensions xmlns:p="urn:0" xmlns:q="urn:9">${inside}</md:Extensions>${entity('https://b.example')}`,
        )
        expect(read(signed(xml))).toContain('b.example')
      }),
      { numRuns: 60 },
    )
  })
})
