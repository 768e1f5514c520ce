import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pagination } from '#web/ui/table/pagination.tsx'

interface ListPagesProps {
  /** What is listed: "Users". */
  list: string
  page: number
  totalCount: number
  /** There are more than `totalCount`, which was not counted to the end. */
  hasMore?: boolean
  /** So many rows have pages, where these are not all. */
  pagedCount?: number
  itemsPerPage: number
  /** The counts are those of the page that is asked for. */
  settled: boolean
  /** The address of a page, for a list that has one. */
  href?: ((page: number) => string) | undefined
  /** `replace` for a correction: the page in the address no longer exists. */
  onPage: (page: number, options: { replace: boolean }) => void
}

/** The pages of a list, and the way back from one past the end. */
export function ListPages(props: ListPagesProps) {
  const { list, page, totalCount, hasMore, pagedCount = totalCount, itemsPerPage, settled, href, onPage } = props
  const { t, i18n } = useTranslation()
  const number = new Intl.NumberFormat(i18n.language)
  // Until the rows of the next page have loaded, the previous ones are shown.
  const [shown, setShown] = useState(page)
  if (settled && shown !== page) setShown(page)
  const pages = Math.ceil(pagedCount / itemsPerPage)
  // The last row of the last page was removed, or the address is made up.
  const pastEnd = settled && page > pages
  useEffect(() => {
    if (pastEnd) onPage(pages, { replace: true })
  }, [pastEnd, pages, onPage])
  if (page > pages) return null
  return (
    <Pagination
      label={t('pagesOf', { list })}
      page={page}
      pageCount={pages}
      summary={t(hasMore ? 'rowsOfMore' : 'rowsOfTotal', {
        first: number.format((shown - 1) * itemsPerPage + 1),
        last: number.format(Math.min(shown * itemsPerPage, totalCount)),
        total: number.format(totalCount),
      })}
      pageText={t('pageOfPages', { page: number.format(page), pages: number.format(pages) })}
      previousLabel={t('previousPage')}
      nextLabel={t('nextPage')}
      href={href}
      onPage={(to) => onPage(to, { replace: false })}
    />
  )
}
