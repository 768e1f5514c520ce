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
export const contains = (text: string): string => `%${startsWith(text)}`

/** The same, at the beginning alone. */
export const startsWith = (text: string): string => `${text.normalize('NFC').replaceAll(/[\\%_]/g, '\\$&')}%`

interface Place {
  offset: number
  limit: number
  sortDirection: 'asc' | 'desc'
  /** The rows come in the opposite order. */
  turned: boolean
}

/** Where to read a page of an ordered list whose length is known: the last page is as near as the first. */
export function fromNearerEnd(
  { offset, limit }: { offset: number; limit: number },
  sortDirection: 'asc' | 'desc',
  total: number,
): Place {
  const count = Math.max(0, Math.min(limit, total - offset))
  if (offset <= total / 2) return { offset, limit: count, sortDirection, turned: false }
  const opposite = sortDirection === 'asc' ? 'desc' : 'asc'
  return { offset: Math.max(0, total - offset - count), limit: count, sortDirection: opposite, turned: true }
}
