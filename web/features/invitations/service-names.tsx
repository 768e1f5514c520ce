import { type RefObject, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import styles from './import.module.css'

interface ServiceNamesProps {
  names: readonly string[]
  list: { text: string; write: (text: string) => void; sending: boolean }
  field: RefObject<HTMLTextAreaElement | null>
}

/** The services that a row may name: each puts its name where the caret stands, after a bar if another one stands there. */
export function ServiceNames({ names, list: { text, write, sending }, field }: ServiceNamesProps) {
  const { t } = useTranslation()
  const id = useId()
  if (names.length === 0) return null
  const insert = (name: string) => {
    const area = field.current
    if (!area || sending) return
    const before = text.slice(0, area.selectionStart)
    const added = `${names.some((one) => before.endsWith(one)) ? '|' : ''}${inCell(name)}`
    write(before + added + text.slice(area.selectionEnd))
    requestAnimationFrame(() => {
      area.focus()
      area.setSelectionRange(before.length + added.length, before.length + added.length)
    })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div role="group" aria-labelledby={id} className={styles.services}>
      <p id={id} className={styles.hint}>
        {t('importServiceNames')}
      </p>
      <div className={styles.names}>
        {names.map((name) => (
          <Button key={name} size="small" onClick={() => insert(name)}>
            {name}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** A name that would end its cell stands in quotation marks. */
const inCell = (name: string) => (/[";,\t]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)
