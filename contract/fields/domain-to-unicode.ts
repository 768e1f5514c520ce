/**
 * Decodes the Punycode labels of a domain: `xn--fjllr-gra3p.se` becomes `fjällrå.se` (RFC 3492). A label that is invalid,
 * or that is not the encoding of its decoded text, stays unchanged.
 */
export const domainToUnicode = (domain: string): string =>
  domain.includes('xn--') ? domain.split('.').map(labelToUnicode).join('.') : domain

function labelToUnicode(label: string): string {
  if (!label.startsWith('xn--')) return label
  const read = decoded(label.slice('xn--'.length))
  return read !== undefined && encodesTo(read, label) ? read : label
}

/** True if the text encodes to exactly this label. */
function encodesTo(text: string, label: string): boolean {
  const url = `http://${text}`
  return text === text.normalize('NFC').toLowerCase() && URL.canParse(url) && new URL(url).hostname === label
}

// The parameters of RFC 3492, section 5.
const base = 36
const [tMin, tMax, skew, damp] = [1, 26, 38, 700]

function decoded(code: string): string | undefined {
  const end = code.lastIndexOf('-')
  const points = end > 0 ? [...code.slice(0, end)].map((sign) => sign.codePointAt(0) ?? 0) : []
  let [point, index, bias] = [128, 0, 72]
  for (let at = end > 0 ? end + 1 : 0; at < code.length; ) {
    const before = index
    for (let weight = 1, k = base; ; k += base) {
      const digit = digitOf(code[at++])
      if (digit === undefined) return undefined
      index += digit * weight
      const threshold = Math.min(tMax, Math.max(tMin, k - bias))
      if (digit < threshold) break
      weight *= base - threshold
    }
    const count = points.length + 1
    bias = adapted(index - before, count, before === 0)
    point += Math.floor(index / count)
    index %= count
    if (point > 0x10ffff) return undefined
    points.splice(index++, 0, point)
  }
  return String.fromCodePoint(...points)
}

function adapted(delta: number, count: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? damp : 2))
  rest += Math.floor(rest / count)
  let k = 0
  for (; rest > ((base - tMin) * tMax) / 2; k += base) rest = Math.floor(rest / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew))
}

const digits = 'abcdefghijklmnopqrstuvwxyz0123456789'
const digitOf = (sign = '') => {
  const digit = sign === '' ? -1 : digits.indexOf(sign)
  return digit < 0 ? undefined : digit
}
