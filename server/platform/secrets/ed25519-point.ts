/** The field and the curve of RFC 8032: −x² + y² = 1 + dx²y². */
const p = 2n ** 255n - 19n
const d = 37_095_705_934_669_439_343_138_083_508_754_565_189_542_113_879_843_219_016_388_785_533_085_940_283_555n

const fromHex = (littleEndian: string) => numberOf(Buffer.from(littleEndian, 'hex'))
const numberOf = (littleEndian: Buffer) => BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`)

// Of the eight points whose order divides 8: for them a signature of any text can be made up.
const orderEight = fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
const weak = new Set([0n, 1n, p - 1n, orderEight, p - orderEight])

/** Whether 32 bytes are a point of Ed25519 that makes a key. Node checks neither. */
export function isSoundEd25519(point: Buffer): boolean {
  const y = numberOf(point) & (2n ** 255n - 1n)
  if (y >= p || weak.has(y)) return false
  // x² = u / v has a root if u · v has one.
  const u = y * y - 1n
  const v = d * y * y + 1n
  return power((u * v) % p, (p - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base, left = exponent; left > 0n; square = (square * square) % p, left >>= 1n)
    if (left & 1n) result = (result * square) % p
  return result
}
