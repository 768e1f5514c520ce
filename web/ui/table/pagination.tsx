import type { LucideIcon } from 'lucide-react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { MouseEvent } from 'react'
import { Icon } from '../icon.tsx'
import styles from './pagination.module.css'

interface PaginationProps {
  /** Name of the landmark: "Pages of users". */
  label: string
  page: number
  pageCount: number
  /** "1–10 of 137". */
  summary: string
  /** "Page 1 of 14". */
  pageText: string
  previousLabel: string
  nextLabel: string
  /** Left out where the pages have no addresses, as in a dialog. */
  href?: ((page: number) => string) | undefined
  /** A plain click; new tabs go through the address. */
  onPage: (page: number) => void
}

/** Real links where there are addresses, so that a page can be opened beside, bookmarked and reached by Back. */
export function Pagination(props: PaginationProps) {
  const { label, page, pageCount, summary, pageText, previousLabel, nextLabel } = props
  return (
    <div className={styles.bar}>
      <span>{summary}</span>
      {pageCount > 1 && (
        <nav className={styles.nav} aria-label={label}>
          <Step {...props} to={page - 1} icon={ChevronLeft} text={previousLabel} />
          <span className={styles.page} aria-current="page">
            {pageText}
          </span>
          <Step {...props} to={page + 1} icon={ChevronRight} text={nextLabel} end />
        </nav>
      )}
    </div>
  )
}

interface StepProps extends PaginationProps {
  to: number
  icon: LucideIcon
  text: string
  end?: boolean
}

function Step({ to, icon, text, end, pageCount, href, onPage }: StepProps) {
  const content = (
    <>
      {!end && <Icon of={icon} />}
      <span>{text}</span>
      {end && <Icon of={icon} />}
    </>
  )
  if (to < 1 || to > pageCount)
    return (
      // A link without an address: announced as an unavailable link, and skipped by the Tab key.
      // biome-ignore lint/a11y/useFocusableInteractive: see above
      // biome-ignore lint/a11y/useSemanticElements: see above
      <span role="link" aria-disabled="true" className={styles.step}>
        {content}
      </span>
    )
  if (!href)
    return (
      <button type="button" className={styles.step} onClick={() => onPage(to)}>
        {content}
      </button>
    )
  const go = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onPage(to)
  }
  return (
    <a href={href(to)} rel={end ? 'next' : 'prev'} className={styles.step} onClick={go}>
      {content}
    </a>
  )
}
