import { useTranslation } from 'react-i18next'
import { Button } from '#web/ui/button.tsx'
import styles from './save-bar.module.css'

/** Comes with the first change and stays in sight until it is saved or discarded. */
export function SaveBar({ saving, onDiscard }: { saving: boolean; onDiscard: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.bar}>
      <p className={styles.text} role="status">
        {t('unsavedChanges')}
      </p>
      <div className={styles.actions}>
        <Button onClick={onDiscard}>{t('discardChanges')}</Button>
        <Button type="submit" variant="primary" loading={saving}>
          {t('save')}
        </Button>
      </div>
    </div>
  )
}
