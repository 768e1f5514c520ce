import { createSign, generateKeyPairSync } from 'node:crypto'
import type { SigningKey } from '#simulators/saml-idp/signed-answer.ts'

interface Options {
  name: string
  validFrom?: Date
  validTo?: Date
  /** The size of an RSA key. */
  bits?: number
  /** An elliptic curve key instead. */
  curve?: 'P-256' | 'P-384' | 'brainpoolP256r1' | 'secp256k1' | 'secp224r1'
  /** Of an RSA key. */
  exponent?: number
}

/** A new key with a self-signed certificate, like those of identity providers. Node cannot create certificates. */
export function selfSigned({ name, validFrom, validTo, bits = 2048, curve, exponent = 65_537 }: Options): SigningKey {
  const { privateKey, publicKey } = curve
    ? generateKeyPairSync('ec', { namedCurve: curve })
    : generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: exponent })
  const algorithm = curve ? sha256WithEcdsa : sha256WithRsa
  const commonName = sequence(der(0x31, sequence(der(0x06, Buffer.from([0x55, 4, 3])), der(0x0c, Buffer.from(name)))))
  const contents = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    commonName,
    sequence(time(validFrom ?? new Date('2020-01-01')), time(validTo ?? new Date('2049-01-01'))),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('sha256').update(contents).sign(privateKey)
  const certificate = sequence(contents, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

// Lengths under 128 take one byte; longer ones follow a byte with their number of bytes (X.690, 8.1.3).
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...contents: Buffer[]) => der(0x30, ...contents)
const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'))
const sha256WithEcdsa = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))

const time = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`))
