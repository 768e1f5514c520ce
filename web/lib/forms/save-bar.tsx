import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import styles from './save-bar.module.css'

interface SaveBarProps {
  text: string
  saving: boolean
  saveButton: Ref<HTMLButtonElement>
  onDiscard: () => void
}

/** Appears with the first unsaved change and stays visible until the changes are saved or discarded. */
export function SaveBar({ text, saving, saveButton, onDiscard }: SaveBarProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.bar}>
      <p className={styles.text} role="status">
        {text}
      </p>
      <div className={styles.actions}>
        <Button onClick={onDiscard}>{t('discardChanges')}</Button>
        <Button ref={saveButton} type="submit" variant="primary" loading={saving}>
          {t('save')}
        </Button>
      </div>
    </div>
  )
}
