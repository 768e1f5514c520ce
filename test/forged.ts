/**
 * The same text with a different first character. Not the last one, because different last characters of base64 can decode
 * to the same bytes.
 */
export const forged = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
