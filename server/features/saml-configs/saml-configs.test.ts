import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from '#test/saml/certificate.ts'
import { usableCertificates } from './saml-configs.ts'

const [first, second] = [selfSigned({ name: 'first' }), selfSigned({ name: 'second' })]
const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '')
const names = (text: string) => usableCertificates(text).map((pem) => new X509Certificate(pem).subject)

test('certificates are found one after the other, with whatever stands between them', () => {
  expect(names(`${first.certificate}${second.certificate}`)).toEqual(['CN=first', 'CN=second'])
  const written = `new:\r\n${first.certificate.replaceAll('\n', '\r\n')}\r\nold:\r\n${second.certificate}`
  expect(names(written)).toEqual(['CN=first', 'CN=second'])
})

test('one may stand there as metadata has it, without its frame', () => {
  expect(names(` ${bare(first.certificate)}\n`)).toEqual(['CN=first'])
})

test('one whose time is over still counts: it was put there by somebody', () => {
  expect(names(selfSigned({ name: 'old', validTo: new Date('2021-01-01') }).certificate)).toEqual(['CN=old'])
})

test('what is none, or has a key that is too short, is left out', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const short = selfSigned({ name: 'short', bits: 1024 }).certificate
  const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const broken = first.certificate.replace(/.{8}\n-----END/, 'AAAAAAAA\n-----END').replace('MII', 'AAA')
  for (const text of ['', 'none yet', key, short, broken]) expect(usableCertificates(text)).toEqual([])
  expect(names(`${short}${second.certificate}`)).toEqual(['CN=second'])
})
