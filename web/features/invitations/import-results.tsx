import { type ReactNode, type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { importOutcome } from '#contract/invitations/bulk-invitations.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Card, Toolbar } from '#web/ui/frame/page.tsx'
import styles from './import.module.css'
import { ImportTable } from './import-table.tsx'
import { outcomeTone, useOutcomeName } from './outcomes.ts'
import type { ImportResult } from './use-import.ts'

interface ImportResultsProps {
  result: ImportResult
  headingRef: Ref<HTMLHeadingElement>
  /** The next step; shown above the rows. */
  children: ReactNode
}

/** Totals by outcome, then every row with its outcome. */
export function ImportResults({ result, headingRef, children }: ImportResultsProps) {
  const { t } = useTranslation()
  const headingId = useId()
  const nameOf = useOutcomeName(result.done)
  const [onlyOthers, setOnlyOthers] = useState(false)
  const counts = importOutcome.options
    .map((outcome) => ({ outcome, count: result.rows.filter((row) => row.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
  const others = result.rows.filter(({ outcome }) => outcome !== 'invited')
  const shown = onlyOthers && others.length > 0 ? others : result.rows
  return (
    <section className={styles.results} aria-labelledby={headingId}>
      <h2 id={headingId} ref={headingRef} tabIndex={-1}>
        {t(result.done ? 'importResult' : 'importPreview')}
      </h2>
      <ul className={styles.counts}>
        {counts.map(({ outcome, count }) => (
          <li key={outcome}>
            <Badge tone={outcomeTone[outcome]}>{t('nameAndCount', { name: nameOf(outcome), count })}</Badge>
          </li>
        ))}
      </ul>
      {result.ignored.length > 0 && <p>{t('importIgnoredColumns', { names: result.ignored.join(', ') })}</p>}
      {result.leftOut.length > 0 && (
        <p className={styles.words}>{t('importLinesLeftOut', { lines: result.leftOut.join(' · ') })}</p>
      )}
      {children}
      <Card flush>
        {others.length > 0 && others.length < result.rows.length && (
          <Toolbar>
            <Checkbox
              label={t('importOnlyOthers', { count: others.length })}
              checked={onlyOthers}
              onChange={(event) => setOnlyOthers(event.target.checked)}
            />
          </Toolbar>
        )}
        <ImportTable rows={shown} done={result.done} />
      </Card>
    </section>
  )
}
