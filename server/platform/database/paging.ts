/** The requested part of a list. */
export interface Page {
  page: number
  searchQuery: string
}

/** The offset and limit of a page. Pages count from 1; a page past the end is empty. */
export const toOffsetAndLimit = ({ page }: Pick<Page, 'page'>, itemsPerPage: number) => ({
  offset: (page - 1) * itemsPerPage,
  limit: itemsPerPage,
})

/**
 * A pattern for `ilike` that matches the text anywhere; `%`, `_` and `\` are escaped. The text is normalised to NFC, so
 * that `Å` typed as two code points matches `Å` stored as one.
 */
export const containsPattern = (text: string): string => `%${prefixPattern(text)}`

/** A pattern that matches the text at the beginning. */
export const prefixPattern = (text: string): string => `${text.normalize('NFC').replaceAll(/[\\%_]/g, '\\$&')}%`
