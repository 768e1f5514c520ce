import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pagination } from '#web/ui/table/pagination.tsx'

interface ListPagesProps {
  /** What is listed: "Users". */
  list: string
  page: number
  totalCount: number
  /** How many rows are shown, where there are more than `totalCount`, which was not counted to the end. */
  moreAfter?: number | undefined
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
  const { list, page, totalCount, moreAfter, itemsPerPage, settled, href, onPage } = props
  const { t } = useTranslation()
  // Until the rows of the next page have loaded, the previous ones are shown.
  const [shown, setShown] = useState(page)
  if (settled && shown !== page) setShown(page)
  const counted = Math.ceil(totalCount / itemsPerPage)
  const hasMore = moreAfter !== undefined
  // A full page that was not counted may be followed by another one.
  const pages = moreAfter ? Math.max(counted, moreAfter < itemsPerPage ? page : page + 1) : counted
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
        first: (shown - 1) * itemsPerPage + 1,
        last: hasMore ? (shown - 1) * itemsPerPage + moreAfter : Math.min(shown * itemsPerPage, totalCount),
        total: totalCount,
      })}
      pageText={t(hasMore ? 'pageOfMore' : 'pageOfPages', { page, pages: counted })}
      previousLabel={t('previousPage')}
      nextLabel={t('nextPage')}
      href={href}
      onPage={(to) => onPage(to, { replace: false })}
    />
  )
}
