import { useMutation } from '@tanstack/react-query'
import Smartphone from 'lucide-react/icons/smartphone'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { factors, type OwnFactors } from '#contract/factors/factors.ts'
import type { AnswerOf } from '#contract/route.ts'
import { RecoveryCodesDialog } from '#web/lib/recovery-codes/recovery-codes-dialog.tsx'
import { useNewCodes } from '#web/lib/recovery-codes/use-new-codes.ts'
import { call } from '#web/lib/requests/api.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { AfterRemoval } from '#web/lib/session/after-removal.tsx'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from '#web/ui/things.module.css'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { AddAppDialog } from './add-app-dialog.tsx'

interface OwnAppProps {
  app: OwnFactors['app']
  hasCodes: boolean
  headingId: string
}

/** The authenticator app: added by its first code, replaced where it is lost, and removed. A person who adds one gets recovery codes with it. */
export function OwnApp({ app, hasCodes, headingId }: OwnAppProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [adding, setAdding] = useState<AnswerOf<typeof factors.beginApp>>()
  const codes = useNewCodes()
  const [removed, setRemoved] = useState(false)
  const begin = useMutation({
    mutationFn: () => call(factors.beginApp, { input: {} }),
    onSuccess: setAdding,
  })
  return (
    <li className={styles.row}>
      <Icon of={Smartphone} size={20} />
      <div className={styles.about}>
        <p className={styles.name}>{t('factorApp')}</p>
        <p className={styles.facts}>
          {app ? (
            <>
              <span>{t('appAddedAt', { moment: dateTimeText(app.createdAt, language) })}</span>
              {app.lastUsedAt && <span>{t('appLastUsed', { moment: dateTimeText(app.lastUsedAt, language) })}</span>}
            </>
          ) : (
            t('appNotAdded')
          )}
        </p>
      </div>
      {app ? (
        <div className={styles.buttons}>
          <Button size="small" loading={begin.isPending} onClick={() => begin.mutate()}>
            {t('replaceApp')}
          </Button>
          <RemoveApp headingId={headingId} onRemoved={() => setRemoved(true)} />
        </div>
      ) : (
        <Button size="small" loading={begin.isPending} onClick={() => begin.mutate()}>
          {t('addApp')}
        </Button>
      )}
      {adding && (
        <AddAppDialog
          setup={adding}
          onClose={() => setAdding(undefined)}
          onAdded={() => {
            setAdding(undefined)
            toasts.show({ tone: 'success', title: t('appAdded') })
            if (!hasCodes) codes.make()
          }}
        />
      )}
      {removed && <AfterRemoval onClose={() => setRemoved(false)} />}
      {codes.made && <RecoveryCodesDialog codes={codes.made} onClose={codes.close} />}
    </li>
  )
}

function RemoveApp({ headingId, onRemoved }: { headingId: string; onRemoved: () => void }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const { mutate, isPending } = useSave(factors.removeApp)
  const remove = () =>
    mutate(undefined, {
      onSuccess: () => {
        toasts.show({ tone: 'success', title: t('appRemoved') })
        // The focused button is about to be removed.
        document.getElementById(headingId)?.focus()
        onRemoved()
      },
      onSettled: () => setAsking(false),
    })
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('removeApp')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('removeAppTitle')}
        cancelLabel={t('cancel')}
        confirmLabel={t('removeApp')}
        loading={isPending}
        onCancel={() => setAsking(false)}
        onConfirm={remove}
      >
        {t('removeAppText')}
      </ConfirmDialog>
    </>
  )
}
