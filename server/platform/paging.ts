/** Which part of a list is asked for. */
export interface Page {
  page: number
  searchQuery: string
}

/** The rows to skip and to take for a page. Pages count from 1; one past the end has no items. */
export const window = ({ page }: Pick<Page, 'page'>, itemsPerPage: number) => ({
  offset: (page - 1) * itemsPerPage,
  limit: itemsPerPage,
})

/**
 * A pattern for `ilike` that matches the text anywhere. `%`, `_` and the escape itself stand for themselves.
 * Unicode is composed first, so that `Å` typed as two signs finds `Å` stored as one.
 */
export const contains = (text: string): string => `%${text.normalize('NFC').replaceAll(/[\\%_]/g, '\\$&')}%`
