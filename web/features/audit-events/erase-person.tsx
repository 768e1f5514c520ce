import { useMutation } from '@tanstack/react-query'
import UserX from 'lucide-react/icons/user-x'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auditErasures, erasedPrefix } from '#contract/audit-events/audit-erasures.ts'
import type { AuditEventDetail } from '#contract/audit-events/audit-events.ts'
import { send } from '#web/lib/requests/api.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import styles from './audit-events.module.css'

interface Props {
  event: AuditEventDetail & { hasColdMonths: boolean }
}

/** At the event of a deletion: puts a pseudonym in the person's place in the whole log. */
export function ErasePerson({ event: { id, name, target, targetName, hasColdMonths } }: Props) {
  const { t } = useTranslation()
  const can = useCan()
  const [asked, setAsked] = useState(false)
  const erase = useMutation({
    mutationFn: () => send(auditErasures.create, { params: { id } }),
    onSettled: () => setAsked(false),
    meta: { inline: true },
  })
  if (name !== 'deleteUser' || target === null || target.startsWith(erasedPrefix) || !can('erasePeople')) return null
  if (erase.isSuccess) return <Alert tone="info" live="status" title={t('erasePersonBegun')} />
  return (
    <div className={styles.erase}>
      <p className={styles.label}>{t('erasePersonText')}</p>
      <Button variant="risky" icon={UserX} onClick={() => setAsked(true)}>
        {t('erasePerson')}
      </Button>
      {erase.error && <Alert tone="danger" live="alert" title={problemText(erase.error)} />}
      <ConfirmDialog
        open={asked}
        title={t('erasePersonNamed', { name: targetName ?? target })}
        cancelLabel={t('cancel')}
        confirmLabel={t('erasePerson')}
        loading={erase.isPending}
        onCancel={() => setAsked(false)}
        onConfirm={() => erase.mutate()}
      >
        {t('erasePersonConfirm')} {hasColdMonths && t('erasePersonInFiles')}
      </ConfirmDialog>
    </div>
  )
}
