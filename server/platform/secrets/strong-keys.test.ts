import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isStrongJwk, isStrongKey, strongKeys } from './strong-keys.ts'

const rsa = (modulusLength = 2048, publicExponent = 65_537) =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({ format: 'jwk' })
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' })
const ed25519 = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const point = (hex: string): JsonWebKey => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: Buffer.from(hex.padEnd(64, '0'), 'hex').toString('base64url'),
})
/** The point with one bit of its second coordinate flipped. */
const offCurve = (key: JsonWebKey): JsonWebKey => {
  const y = Buffer.from(key.y ?? '', 'base64url')
  y[y.length - 1] = (y.at(-1) ?? 0) ^ 1
  return { ...key, y: y.toString('base64url') }
}

describe('a key that anybody can use', () => {
  test.each([
    ['RSA', rsa],
    ['RSA of 3072 bits', () => rsa(3072)],
    ...['P-256', 'P-384', 'P-521'].map((curve): [string, () => JsonWebKey] => [curve, () => ec(curve)]),
    ...Array.from({ length: 8 }, (_, index): [string, () => JsonWebKey] => [`Ed25519, ${index}`, ed25519]),
  ])('%s is strong', (_, make) => {
    const key = make()
    expect([isStrongJwk(key), strongKeys([key])]).toEqual([true, [key]])
  })

  test('of a curve that JSON Web Keys have no name for is strong in a certificate', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1' })
    expect(isStrongKey(publicKey)).toBe(true)
  })
})

describe('a weak key is refused', () => {
  const n = rsa().n ?? ''
  const p = 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'
  test.each<[string, unknown]>([
    ['RSA of 1024 bits', rsa(1024)],
    ['RSA with the exponent 3', rsa(2048, 3)],
    ['RSA with the exponent 1', { kty: 'RSA', n, e: 'AQ' }],
    ['RSA with an even exponent', { kty: 'RSA', n, e: 'AQAC' }],
    ['RSA with a large exponent', { kty: 'RSA', n, e: n }],
    [
      'RSA that is too long to verify often',
      { kty: 'RSA', n: Buffer.alloc(1100, 0xff).toString('base64url'), e: 'AQAB' },
    ],
    ...['P-256', 'P-384', 'P-521'].map((curve): [string, unknown] => [`${curve}, off the curve`, offCurve(ec(curve))]),
    ['P-256, at 0', { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }],
    ['secp256k1', ec('secp256k1')],
    ['Ed448', generateKeyPairSync('ed448').publicKey.export({ format: 'jwk' })],
    ['X25519', generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })],
    // Of order 1, 2, 4 and 8, their other signs, and other ways to write them.
    ['Ed25519, order 1', point('01')],
    ['Ed25519, order 1, negative', point(`01${'00'.repeat(30)}80`)],
    ['Ed25519, order 2', point(`ec${'ff'.repeat(30)}7f`)],
    ['Ed25519, order 4', point('00')],
    ['Ed25519, order 4, negative', point(`${'00'.repeat(31)}80`)],
    ['Ed25519, order 8', point('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')],
    ['Ed25519, order 8, negative', point('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85')],
    ['Ed25519, order 8, the other', point('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')],
    ['Ed25519, 0 written as p', point(p)],
    ['Ed25519, 1 written as p + 1', point(p.replace('ed', 'ee'))],
    ['Ed25519, off the curve', point('02')],
    ['a secret', { kty: 'oct', k: 'c2VjcmV0' }],
    ['a private key', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })],
    ['an RSA key with a secret beside it', { ...rsa(), k: 'c2VjcmV0' }],
    ['no key', {}],
    ['a text', 'key'],
    ['null', null],
  ])('%s', (_, key) => {
    expect(strongKeys([key])).toEqual([])
  })

  test('and a set has at most a hundred', () => {
    const key = ec('P-256')
    expect(strongKeys(Array.from({ length: 5000 }, () => key))).toHaveLength(100)
  })
})
