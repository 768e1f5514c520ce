import { useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import styles from './changed-by-others.module.css'
import type { EntityForm } from './entity-form.ts'
import type { Difference } from './merge-drafts.ts'

/** A field as a person reads it, where it is not the label of the form and the value as it is. */
export type Describe = (name: string, value: unknown) => { field?: string; text?: string }

interface ChangedByOthersProps<Draft extends FieldValues, Values> {
  form: EntityForm<Draft, Values>
  describe?: Describe | undefined
}

/** Says what somebody else changed, and lets the reader decide where both did. Takes the focus when it appears. */
export function ChangedByOthers<Draft extends FieldValues, Values>(props: ChangedByOthersProps<Draft, Values>) {
  const { t } = useTranslation()
  const { conflict, choose, labelOf } = props.form
  const { describe } = props
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (conflict) notice.current?.focus()
  }, [conflict])
  if (!conflict) return null
  return (
    <div ref={notice} tabIndex={-1} className={styles.notice}>
      <Alert tone="warn" live="alert" title={t('changedMeanwhile')}>
        {conflict.length === 0 && t('changedMeanwhileNothing')}
        <ul className={styles.list}>
          {conflict.map((difference) => (
            <Change
              key={`${difference.name} ${String(difference.theirs)}`}
              difference={difference}
              describe={(name, value) => ({
                field: labelOf(name),
                text: String(value ?? ''),
                ...describe?.(name, value),
              })}
              onChoose={(side) => choose(difference, side)}
            />
          ))}
        </ul>
      </Alert>
    </div>
  )
}

interface ChangeProps {
  difference: Difference
  describe: (name: string, value: unknown) => { field: string; text: string }
  onChoose: (side: 'mine' | 'theirs') => void
}

function Change({ difference, describe, onChoose }: ChangeProps) {
  const { t } = useTranslation()
  const [side, setSide] = useState<'mine' | 'theirs'>('mine')
  const { name, theirs, mine } = difference
  const { field, text } = describe(name, theirs)
  const other = side === 'mine' ? 'theirs' : 'mine'
  const take = () => {
    setSide(other)
    onChoose(other)
  }
  return (
    <li className={styles.change}>
      <span className={styles.text}>
        <strong>{field}</strong>
        <span>{t('theirValue', { value: text || t('emptyValue') })}</span>
        {mine && <span>{t('yourValue', { value: describe(name, mine.value).text || t('emptyValue') })}</span>}
      </span>
      {mine && (
        <Button
          size="small"
          aria-label={t(other === 'theirs' ? 'useTheirsFor' : 'keepMineFor', { field })}
          onClick={take}
        >
          {t(other === 'theirs' ? 'useTheirs' : 'keepMine')}
        </Button>
      )}
    </li>
  )
}
