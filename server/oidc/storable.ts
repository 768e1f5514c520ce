/**
 * Serialises to JSON that PostgreSQL accepts: NUL characters and lone surrogates in a request must not fail a sign-in.
 */
export const toStorableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? toStorableText(part) : part))

export const toStorableText = (text: string): string => text.replaceAll('\u0000', '\uFFFD').toWellFormed()
