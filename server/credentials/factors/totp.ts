import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds that a code is shown. Apps ignore other values, and other hashes than SHA-1. */
const stepSeconds = 30
const digits = 6
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The time step of RFC 6238 (4.2) at a moment. */
export const stepAt = (moment: Date): number => Math.floor(moment.getTime() / 1000 / stepSeconds)

/** The code of a time step (RFC 4226, 5.3; RFC 6238, 4). */
export function totp(secret: Buffer, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fff_ffff
  return String(number % 10 ** length).padStart(length, '0')
}

/** The steps whose code this is: the present one, the one before and the one after, because clocks differ. */
export function matchingSteps(secret: Buffer, code: string, now: Date): number[] {
  const given = Buffer.from(code)
  const present = stepAt(now)
  return [present - 1, present, present + 1].filter((step) => {
    const right = Buffer.from(totp(secret, step))
    return right.length === given.length && timingSafeEqual(right, given)
  })
}

/** RFC 4648, 6, without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The other way round; for texts of whole bytes. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
