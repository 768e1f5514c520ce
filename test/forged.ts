/**
 * The same text with another first character. Not the last one: there one in 64 is what it is replaced by, and some
 * of base64 decode alike.
 */
export const forged = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
