/**
 * As JSON that PostgreSQL takes: requests carry any text, and neither a NUL nor half a character may make a sign-in fail.
 */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part))

export const storableText = (text: string): string => text.replaceAll('\u0000', '\uFFFD').toWellFormed()
