/** What a JSON text may hold. Lengths in characters, as written. */
export interface JsonBounds {
  /** Objects and lists in each other. */
  depth: number
  /** Names in an object. */
  names: number
  /** Values in a list. */
  values: number
  /** Objects, lists and values altogether. */
  altogether: number
  /** A name. */
  name: number
  /** A text. */
  text: number
}

/** How large the body of a call is at most. */
export interface BodyLimits {
  /** Bytes; default 64 KB. */
  bodyLimit?: number
  /** Of a large body, or one without a schema of its own: what it may hold, checked before it is parsed. */
  bounds?: JsonBounds
}
