/** How a document says its encoding in its first bytes: a mark, or the `<` of UTF-16. */
const marks = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
  { bytes: [0x3c, 0x00], encoding: 'utf-16le' },
  { bytes: [0x00, 0x3c], encoding: 'utf-16be' },
] as const

/**
 * The text of an XML document in the encoding that its first bytes or its declaration name: UTF-8, UTF-16, or an older one.
 *
 * @throws RangeError, TypeError for an unknown encoding, or bytes that it does not have
 */
export function decodeXml(bytes: Uint8Array): string {
  const mark = marks.find(({ bytes: [first, second] }) => bytes[0] === first && bytes[1] === second)
  const head = String.fromCharCode(...bytes.subarray(0, 200))
  const [, declared = 'utf-8'] = /^(?:ï»¿)?\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(head) ?? []
  // What declares UTF-16 in single bytes was saved again by something that left the declaration.
  const encoding = mark?.encoding ?? (/^utf-?16/i.test(declared) ? 'utf-8' : declared)
  return new TextDecoder(encoding, { fatal: true }).decode(bytes)
}
