/** An integer of P-256, in bytes. */
const size = 32

/**
 * An ECDSA signature of P-256 as its two numbers. Authenticators wrap them as ASN.1, and some with zeros too many or too few, which
 * OpenSSL refuses.
 *
 * @throws Error for anything else
 */
export function plainSignature(wrapped: Buffer): Buffer {
  const [tag, length] = wrapped
  if (tag !== 0x30 || length !== wrapped.length - 2) throw new Error('the signature is no sequence')
  const r = readNumber(wrapped, 2)
  const s = readNumber(wrapped, r.end)
  if (s.end !== wrapped.length) throw new Error('the signature is too long')
  return Buffer.concat([r.number, s.number])
}

function readNumber(bytes: Buffer, at: number): { number: Buffer; end: number } {
  const length = bytes.readUInt8(at + 1)
  const end = at + 2 + length
  if (bytes[at] !== 0x02 || end > bytes.length) throw new Error('the signature is no sequence of numbers')
  let begin = at + 2
  while (begin < end && bytes[begin] === 0) begin++
  const number = bytes.subarray(begin, end)
  if (number.length > size) throw new Error('a number of the signature is too long')
  return { number: Buffer.concat([Buffer.alloc(size - number.length), number]), end }
}
