// GSM 03.38 (3GPP TS 23.038, 6.2.1): the alphabet of one septet a character, and its extension of two.
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑܧ¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'
const septets = new Map([
  ...[...basic].map((sign) => [sign, 1] as const),
  ...[...extension].map((sign) => [sign, 2] as const),
])

export interface SmsParts {
  alphabet: 'gsm7' | 'ucs2'
  /** How many messages the text is sent, and paid, as. */
  parts: number
}

/** How a text travels: 160 septets or 70 UTF-16 units in one message; 153 or 67 in each of several. */
export function smsParts(text: string): SmsParts {
  const signs = [...text]
  const alphabet = signs.every((sign) => septets.has(sign)) ? 'gsm7' : 'ucs2'
  const sizes = signs.map((sign) => (alphabet === 'gsm7' ? (septets.get(sign) ?? 0) : sign.length))
  const [alone, shared] = alphabet === 'gsm7' ? [160, 153] : [70, 67]
  if (sizes.reduce((sum, size) => sum + size, 0) <= alone) return { alphabet, parts: 1 }
  // An escaped or paired character is never cut in two, so a part may stay one short.
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
