import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from '#test/saml/certificate.ts'
import { parseUsableCertificates } from './certificates.ts'

const [first, second] = [selfSigned({ name: 'first' }), selfSigned({ name: 'second' })]
const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '')
const names = (text: string) => parseUsableCertificates(text).map((pem) => new X509Certificate(pem).subject)

test('all certificates are found, whatever text is between them', () => {
  expect(names(`${first.certificate}${second.certificate}`)).toEqual(['CN=first', 'CN=second'])
  const written = `new:\r\n${first.certificate.replaceAll('\n', '\r\n')}\r\nold:\r\n${second.certificate}`
  expect(names(written)).toEqual(['CN=first', 'CN=second'])
})

test('a certificate may have no PEM header and footer, as in metadata', () => {
  expect(names(` ${bare(first.certificate)}\n`)).toEqual(['CN=first'])
})

test('an expired certificate counts: an operator configured it', () => {
  expect(names(selfSigned({ name: 'old', validTo: new Date('2021-01-01') }).certificate)).toEqual(['CN=old'])
})

test('an invalid certificate, or one with a weak key, is ignored', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const short = selfSigned({ name: 'short', bits: 1024 }).certificate
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const broken = first.certificate.replace(/.{8}\n-----END/, 'AAAAAAAA\n-----END').replace('MII', 'AAA')
  const weak = [{ exponent: 3 }, { curve: 'secp256k1' }, { curve: 'secp224r1' }] as const
  const weakOnes = weak.map((one) => selfSigned({ name: 'weak', ...one }).certificate)
  for (const text of ['', 'none yet', key, short, broken, ...weakOnes])
    expect(parseUsableCertificates(text)).toEqual([])
  expect(names(`${short}${second.certificate}`)).toEqual(['CN=second'])
  expect(names(selfSigned({ name: 'other', curve: 'brainpoolP256r1' }).certificate)).toEqual(['CN=other'])
})

test('empty lines and spaces inside a block, as copying leaves them, are ignored', () => {
  const copied = first.certificate.replace('\n-----END', '\n\n-----END').replace('-----\n', '-----\n \n')
  expect(names(copied)).toEqual(['CN=first'])
  expect(names(`${copied}${second.certificate.replaceAll('\n', '\r\n\r\n')}`)).toEqual(['CN=first', 'CN=second'])
})
