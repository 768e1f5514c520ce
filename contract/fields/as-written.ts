// Copied texts begin and end with blanks of every kind, zero-width characters and direction marks.
const invisible = '[\\s\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069]'
// Each run is read once, from its beginning: from every position, a long one would take quadratic time.
const ends = new RegExp(`^${invisible}+|(?<!${invisible})${invisible}+$`, 'g')

/** A text without what nobody can see at its beginning and end. */
export const withoutInvisibleEnds = (text: string): string => text.replaceAll(ends, '')

/** An address as it is copied from a mail, a list or a link: without `mailto:`, angle brackets and the separator after it. */
export const bareAddress = (written: string): string =>
  withoutInvisibleEnds(withoutInvisibleEnds(written).replace(/(?<![;,])[;,]+$/, ''))
    .replace(/^<([^<>]*)>$/, '$1')
    .replace(/^mailto:/i, '')

/**
 * A name with one blank between its words, composed as keyboards write it: spreadsheets bring several blanks, hard ones and
 * zero-width characters, macOS a letter and its mark apart. Two names that look alike are the same then.
 */
export const tidyName = (written: string): string =>
  withoutInvisibleEnds(written)
    .normalize('NFC')
    .replaceAll(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replaceAll(/\p{Zs}+/gu, ' ')
