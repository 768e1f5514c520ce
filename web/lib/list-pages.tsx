import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pagination } from '#web/ui/pagination.tsx'

interface ListPagesProps {
  /** What is listed: "Users". */
  list: string
  page: number
  totalCount: number
  itemsPerPage: number
  /** The counts are those of the page that is asked for. */
  settled: boolean
  /** The address of a page, for a list that has one. */
  href?: ((page: number) => string) | undefined
  /** `replace` where nobody asked: the page that was asked for is not there any more. */
  onPage: (page: number, options: { replace: boolean }) => void
}

/** The pages of a list, and the way back from one past the end. */
export function ListPages({ list, page, totalCount, itemsPerPage, settled, href, onPage }: ListPagesProps) {
  const { t } = useTranslation()
  // Until the rows of another page are there, those of the last one are shown.
  const [shown, setShown] = useState(page)
  if (settled && shown !== page) setShown(page)
  const pages = Math.ceil(totalCount / itemsPerPage)
  // The last row of the last page has gone, or somebody made the address up.
  const astray = settled && page > pages
  useEffect(() => {
    if (astray) onPage(pages, { replace: true })
  }, [astray, pages, onPage])
  if (page > pages) return null
  return (
    <Pagination
      label={t('pagesOf', { list })}
      page={page}
      pageCount={pages}
      summary={t('rowsOfTotal', {
        first: (shown - 1) * itemsPerPage + 1,
        last: Math.min(shown * itemsPerPage, totalCount),
        total: totalCount,
      })}
      pageText={t('pageOfPages', { page, pages })}
      previousLabel={t('previousPage')}
      nextLabel={t('nextPage')}
      href={href}
      onPage={(to) => onPage(to, { replace: false })}
    />
  )
}
