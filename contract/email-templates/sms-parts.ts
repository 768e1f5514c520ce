// GSM 03.38 (3GPP TS 23.038, 6.2.1): characters of one septet, and the extension with two septets each.
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑܧ¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'
const septets = new Map([
  ...[...basic].map((sign) => [sign, 1] as const),
  ...[...extension].map((sign) => [sign, 2] as const),
])

/** What a text costs. */
export interface SmsParts {
  alphabet: 'gsm7' | 'ucs2'
  /** The number of messages that are sent and billed. */
  parts: number
}

/** Counts the parts of an SMS: 160 septets or 70 UTF-16 units in a single message, 153 or 67 in each of several. */
export function smsParts(text: string): SmsParts {
  const signs = [...text]
  const alphabet = signs.every((sign) => septets.has(sign)) ? 'gsm7' : 'ucs2'
  const sizes = signs.map((sign) => (alphabet === 'gsm7' ? (septets.get(sign) ?? 0) : sign.length))
  const [alone, shared] = alphabet === 'gsm7' ? [160, 153] : [70, 67]
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return { alphabet, parts: 1 }
  // An escaped character or a surrogate pair is never split, so a part may be one unit short.
  let parts = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > shared) {
      parts += 1
      used = 0
    }
    used += size
  }
  return { alphabet, parts }
}
