import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReviewPerson, ReviewRow } from '#contract/access-reviews/review-answers.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './access-review.module.css'
import { canTakeBack, changesTo, commonDecision, countOf, type Decision, isOpen } from './decided.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import { LastUsed, PersonName } from './people-table.tsx'
import { RowDecision } from './row-decision.tsx'
import type { Decisions } from './use-decisions.ts'
import { focusNext, moveByArrow } from './use-row-keys.ts'

interface ReviewTableProps {
  people: readonly ReviewPerson[]
  /** Decisions can be made. */
  open: boolean
  whole: boolean
  busy: boolean
  decisions: Decisions
  onAtOnce: (person: ReviewPerson) => void
}

/** A row for each person, with the services inside. */
export function ReviewTable({ people, open, whole, busy, decisions, onAtOnce }: ReviewTableProps) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const language = useLanguage()
  // The focus moves once the decision shows: on a button that waits, Enter would do nothing.
  const decidedAt = useRef<HTMLElement>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a decision changes the people, and nothing else does
  useEffect(() => {
    if (!decidedAt.current) return
    focusNext(decidedAt.current)
    decidedAt.current = undefined
  }, [people])
  const decide = async (person: ReviewPerson, rows: readonly ReviewRow[], to: Decision, button: HTMLElement) => {
    // A second key before the first is answered would undo what the first has decided.
    if (decidedAt.current) return
    const changes = changesTo(rows, to)
    const texts = { keep: 'reviewSaidKept', takeBack: 'reviewSaidTakeBack' } as const
    const said = t(to ? texts[to] : 'reviewSaidNothing', {
      person: person.name ?? person.email,
      services: rows.map(({ serviceName }) => serviceName).join(', '),
      count: countOf(changes),
    })
    if (to) decidedAt.current = button
    if ((await decisions.decide({ changes, text: said }, { reload: false })) !== 'all') decidedAt.current = undefined
  }
  const columns: Column<ReviewPerson>[] = [
    {
      key: 'person',
      header: t('person'),
      rowHeader: true,
      cell: (person) => (
        <span className={styles.person}>
          <PersonName {...person} />
          {(person.guest || person.userRole === 'organizationAdmin') && (
            <span className={styles.badges}>
              {person.guest && <Badge tone="warn">{t('reviewGuest')}</Badge>}
              {person.userRole === 'organizationAdmin' && <Badge tone="accent">{t('organizationAdmin')}</Badge>}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'services',
      header: t('reviewServicesColumn'),
      unlabelled: true,
      cell: (person) => (
        <ul className={styles.rows}>
          {person.rows.map((row) => (
            <li key={row.rowId}>
              <span className={styles.person}>
                <span className={styles.badges}>
                  {row.serviceName}
                  {row.userRole === 'serviceAdmin' && <Badge tone="accent">{t('roleServiceAdmin')}</Badge>}
                  {row.serviceRoles.map((key) => (
                    <Badge key={key}>{key}</Badge>
                  ))}
                </span>
                <span className={styles.quiet}>
                  {row.groups.length > 0 && t('comesByGroup', { names: row.groups.join(', ') })}
                  {row.groups.length > 0 && row.endsOn && ' · '}
                  {row.endsOn && t('endsOn', { day: dayText(row.endsOn, language, 'full') })}
                </span>
              </span>
              <span className={styles.quiet}>
                <span className="vh-wide">{t('lastUsedLabel')} </span>
                <LastUsed at={row.lastUsed} />
              </span>
              <RowDecision
                row={row}
                open={open}
                takesBack={canTakeBack(row, whole)}
                me={me.email}
                name={person.name ?? person.email}
                onDecide={(to, button) => void decide(person, [row], to, button)}
              />
            </li>
          ))}
        </ul>
      ),
    },
    {
      key: 'all',
      header: t('reviewAllServices'),
      buttons: true,
      cell: (person) => {
        const here = person.rows.filter(isOpen)
        const names = { person: person.name ?? person.email, service: t('reviewAllServicesOf', { count: here.length }) }
        return (
          <span className={styles.whole}>
            {here.length > 1 && (
              <span className={styles.wholeLabel} aria-hidden="true">
                {t('reviewAllServices')}
              </span>
            )}
            {here.length > 1 && (
              <DecisionButtons
                level="person"
                decision={commonDecision(person.rows) ?? null}
                isOpen={here.some(({ decision }) => decision === null)}
                takesBack={here.every((row) => canTakeBack(row, whole))}
                names={names}
                onDecide={(to, button) => void decide(person, person.rows, to, button)}
              />
            )}
            {whole && here.some(({ decision }) => decision === 'takeBack') && (
              <Button
                size="small"
                variant="risky"
                className={styles.atOnce}
                aria-label={t('reviewAtOnceNamed', names)}
                onClick={() => onAtOnce(person)}
              >
                {t('reviewAtOnce')}
              </Button>
            )}
          </span>
        )
      },
    },
  ]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys only move between the buttons inside
    <div onKeyDown={moveByArrow}>
      <Table
        caption={t('accessReview')}
        columns={open ? columns : columns.filter(({ key }) => key !== 'all')}
        rows={people}
        rowKey={({ accountId }) => accountId}
        busy={busy}
      />
    </div>
  )
}
