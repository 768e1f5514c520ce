import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readIdentityProvider } from './identity-provider-metadata.ts'
import { MetadataRefusal } from './metadata-refusal.ts'
import { xmlText } from './metadata-text.ts'

const now = new Date('2026-11-25T12:00:00Z')
const folder = join(import.meta.dirname, '../../test/saml/metadata')
const bytesOf = (file: string) => readFileSync(join(folder, file))
const read = (text: string, entityId?: string) => readIdentityProvider(text, now, entityId)
const fileOf = (name: string) => xmlText(bytesOf(name))
const providerIn = (text: string) => read(text).provider
const problemOf = (text: string, entityId?: string) => {
  try {
    return read(text, entityId)
  } catch (error) {
    return error instanceof MetadataRefusal ? error.problem : error
  }
}

const plain = fileOf('11-no-use.xml')
const common = {
  entityId: 'https://idp.kund.example/meta',
  url: 'https://idp.kund.example/sso',
  postRequests: false,
  certificate: expect.stringMatching(/^-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n$/),
  warnings: [],
}

describe('metadata is read as others write it', () => {
  test.each([
    ...['04-stylesheet-pi.xml', '07-cdata-displayname.xml', '08-entities-one.xml', '11-no-use.xml', '16-cert-xD.xml'],
    ...['19-saml1-and-saml2-descriptors.xml', '28-mdui-scope-regexp.xml', '35-chrome-viewer-text.xml'],
    '43-utf16le-bom.xml',
  ])('%s', (file) => {
    expect(providerIn(fileOf(file))).toMatchObject(common)
  })

  test('in UTF-16 of either order, with a mark or without, in Latin-1, and with a declaration that was left behind', () => {
    const named = plain.replace(/<md:IDPSSO/, '<!-- Åse --><md:IDPSSO')
    const little = Buffer.from(named, 'utf16le')
    const big = Buffer.from(little).swap16()
    const marked = (bytes: Buffer, mark: number[]) => Buffer.concat([Buffer.from(mark), bytes])
    const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${named}`, 'latin1')
    for (const bytes of [
      ...[little, big, marked(little, [0xff, 0xfe]), marked(big, [0xfe, 0xff]), latin],
      ...[
        marked(Buffer.from(named), [0xef, 0xbb, 0xbf]),
        Buffer.from(`<?xml version="1.0" encoding="utf-16"?>${named}`),
      ],
    ])
      expect(providerIn(xmlText(bytes))).toMatchObject(common)
    expect(() => xmlText(Buffer.from(named, 'latin1'))).toThrow('encoding')
  })

  test('with processing instructions and CDATA anywhere, also in a certificate', () => {
    const instructed = plain.replaceAll('<md:KeyDescriptor>', '<?a b="<x>"?><md:KeyDescriptor><?c?>')
    const inCdata = instructed.replace(/(<ds:X509Certificate>)([^<]+)/, '$1<![CDATA[$2]]>')
    expect(providerIn(`${inCdata}<?end?>`)).toMatchObject(common)
    expect(providerIn(plain.replace('/meta"', '/meta?a=1&amp;b=2"'))?.entityId).toBe(
      'https://idp.kund.example/meta?a=1&b=2',
    )
    expect(
      providerIn(plain.replace('<md:IDP', '<md:Extensions><![CDATA[<!DOCTYPE <evil> & ]]></md:Extensions><md:IDP')),
    ).toMatchObject(common)
  })

  test('both keys of a roll-over', () => {
    const { certificate = '' } = providerIn(fileOf('13-two-signing.xml')) ?? {}
    expect(certificate.match(/BEGIN CERTIFICATE/g)).toHaveLength(2)
  })

  test('of an identity provider that takes requests by HTTP-POST alone', () => {
    expect(providerIn(fileOf('17-post-only.xml'))).toMatchObject({
      ...common,
      postRequests: true,
      url: expect.stringMatching(/^https/),
    })
  })

  test('with both addresses of single logout, by redirects or by forms', () => {
    expect(providerIn(fileOf('24-response-location.xml'))).toMatchObject({
      logoutUrl: 'https://idp.kund.example/slo',
      logoutResponseUrl: 'https://idp.kund.example/slo-answer',
      postLogout: false,
    })
    expect(providerIn(fileOf('25-slo-post-only.xml'))).toMatchObject({
      logoutUrl: expect.stringMatching(/^https/),
      postLogout: true,
    })
  })
})

describe('what is wrong with metadata that can be read is said', () => {
  test('it has expired, here or in a group around it', () => {
    const warnings = [{ kind: 'expired', detail: '2020-01-01T00:00:00.000Z' }]
    expect(providerIn(fileOf('21-valid-until-past.xml'))).toMatchObject({ ...common, warnings })
    const group = '<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"'
    expect(providerIn(`${group} validUntil="2020-01-01T00:00:00Z">${plain}</md:EntitiesDescriptor>`)).toMatchObject({
      ...common,
      warnings,
    })
  })
  test.each([
    ['22-weak-1024.xml', { kind: 'weakKey', detail: 'CN=idp-1024.example' }],
    ['34-onelogin-sig-uppercase-use.xml', { kind: 'unknownUse', detail: 'Signing: CN=idp-a.example' }],
  ])('%s leaves a certificate out', (file, warning) => {
    expect(providerIn(fileOf(file))).toMatchObject({ ...common, certificate: '', warnings: [warning] })
  })
  test('a certificate that cannot be read', () => {
    const broken = plain.replace(/(<ds:X509Certificate>)[^<]{8}/, '$1AAAAAAAA')
    expect(providerIn(broken)).toMatchObject({ certificate: '', warnings: [{ kind: 'unreadable' }] })
  })
})

describe('an aggregate', () => {
  const of = (entityId: string, name: string) =>
    plain
      .replace('https://idp.kund.example/meta', entityId)
      .replace(
        '</md:IDPSSODescriptor>',
        `</md:IDPSSODescriptor><md:Organization><md:OrganizationDisplayName xml:lang="en">${name}</md:OrganizationDisplayName></md:Organization>`,
      )
  const service = '<md:EntityDescriptor entityID="https://sp.example"><md:SPSSODescriptor/></md:EntityDescriptor>'
  const group = (inside: string) =>
    `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${inside}</md:EntitiesDescriptor>`
  const [a, b] = [of('https://a.example', 'School A'), of('https://b.example', 'School B')]

  test('with one identity provider among services is read', () => {
    expect(providerIn(group(service + group(a) + service))).toMatchObject({ entityId: 'https://a.example' })
  })
  test('with several asks which, by entity ID and name, and reads that one', () => {
    const several = group(`${a}${group(service + b)}`)
    expect(read(several)).toEqual({
      provider: null,
      choices: [
        { entityId: 'https://a.example', displayName: 'School A' },
        { entityId: 'https://b.example', displayName: 'School B' },
      ],
    })
    expect(read(several, 'https://b.example')).toMatchObject({
      provider: { entityId: 'https://b.example' },
      choices: [],
    })
    expect(problemOf(several, 'https://c.example')).toBe('metadataNoEntity')
    expect(problemOf(several, 'https://sp.example')).toBe('metadataNoEntity')
    expect(problemOf(group(a + a), 'https://a.example')).toBe('metadataEntityTwice')
    expect(problemOf(group(service))).toBe('metadataNoProvider')
  })
})

test.each([
  ['05-doctype.xml', 'metadataDoctype'],
  ['20-two-saml2-descriptors.xml', 'metadataTwoDescriptors'],
])('%s is refused with its own reason', (file, problem) => {
  expect(problemOf(fileOf(file))).toBe(problem)
})
