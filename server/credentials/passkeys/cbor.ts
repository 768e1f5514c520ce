/** What authenticators write. Numbers with a fraction, tags and the like stand where nothing is read: they are undefined. */
export type Cbor = number | string | Buffer | Cbor[] | CborMap | boolean | null | undefined
export type CborMap = Map<Cbor, Cbor>

/** Nobody nests deeper: the certificates of a statement are a list in a list in a map. */
const maxDepth = 16
const simple = new Map<number, Cbor>([
  [20, false],
  [21, true],
  [22, null],
])

/**
 * Reads one value (RFC 8949) of definite length, as CTAP2 asks for.
 *
 * @returns the value, and where the next one begins
 * @throws Error for anything that is no CBOR
 */
export function readCbor(bytes: Buffer, at = 0, depth = 0): { value: Cbor; end: number } {
  if (depth > maxDepth) throw new Error('CBOR is nested too deeply')
  const first = bytes.readUInt8(at)
  const [major, short] = [first >> 5, first & 31]
  const { argument, end } = readArgument(bytes, at + 1, short)
  switch (major) {
    case 0:
      return { value: argument, end }
    case 1:
      return { value: -1 - argument, end }
    case 2:
    case 3: {
      if (end + argument > bytes.length) throw new Error('CBOR ends too early')
      const part = bytes.subarray(end, end + argument)
      return { value: major === 2 ? part : part.toString(), end: end + argument }
    }
    case 4: {
      const { values, end: after } = readMany(bytes, end, argument, depth)
      return { value: values, end: after }
    }
    case 5: {
      const { values, end: after } = readMany(bytes, end, 2 * argument, depth)
      const entries = Array.from({ length: argument }, (_, of) => [values[2 * of], values[2 * of + 1]] as const)
      return { value: new Map(entries), end: after }
    }
    case 6:
      return { value: undefined, end: readCbor(bytes, end, depth + 1).end }
    default:
      return { value: simple.get(short), end }
  }
}

function readArgument(bytes: Buffer, at: number, short: number): { argument: number; end: number } {
  if (short < 24) return { argument: short, end: at }
  const size = 2 ** (short - 24)
  if (size > 8) throw new Error('CBOR of indefinite length')
  const argument = size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size)
  return { argument, end: at + size }
}

function readMany(bytes: Buffer, at: number, count: number, depth: number): { values: Cbor[]; end: number } {
  const values: Cbor[] = []
  let end = at
  // Each takes a byte at least, so that a length that is no length ends at the end of the bytes.
  while (values.length < count) {
    const next = readCbor(bytes, end, depth + 1)
    values.push(next.value)
    end = next.end
  }
  return { values, end }
}
