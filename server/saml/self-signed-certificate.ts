import { createPublicKey, createSign, type KeyObject } from 'node:crypto'
import { parse } from 'uuid'

const years = 10

/**
 * Creates a self-signed certificate for an RSA key (X.509 version 1, DER), as a container for the public key. Node cannot
 * create certificates.
 *
 * @param keyId UUIDv7: determines serial number and date, so that a key always has the same certificate
 */
export function createSelfSignedCertificate(key: KeyObject, keyId: string): Buffer {
  const id = Buffer.from(parse(keyId))
  const made = new Date(id.readUIntBE(0, 6))
  const over = new Date(made)
  over.setUTCFullYear(made.getUTCFullYear() + years)
  const name = sequence(der(tags.set, sequence(commonName, der(tags.utf8, Buffer.from('Vestibule SAML')))))
  const contents = sequence(
    // The leading byte keeps the number positive.
    der(tags.integer, Buffer.concat([Buffer.from([1]), id])),
    sha256WithRsa,
    name,
    sequence(time(made), time(over)),
    name,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('sha256').update(contents).sign(key)
  return sequence(contents, sha256WithRsa, der(tags.bits, Buffer.concat([Buffer.from([0]), signature])))
}

const tags = {
  integer: 0x02,
  bits: 0x03,
  object: 0x06,
  utf8: 0x0c,
  time: 0x18,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
}

// Lengths under 128 take one byte; longer ones follow a byte with their size: X.690, 8.1.3.
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...contents: Buffer[]) => der(tags.sequence, Buffer.concat(contents))

const commonName = der(tags.object, Buffer.from('550403', 'hex'))
const sha256WithRsa = sequence(der(tags.object, Buffer.from('2a864886f70d01010b', 'hex')), Buffer.from('0500', 'hex'))

// UTCTime with a two-digit year until 2049: RFC 5280, 4.1.2.5.
function time(at: Date): Buffer {
  const digits = `${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`
  return at.getUTCFullYear() < 2050
    ? der(tags.utcTime, Buffer.from(digits.slice(2)))
    : der(tags.time, Buffer.from(digits))
}
