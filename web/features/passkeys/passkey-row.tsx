import KeyRound from 'lucide-react/icons/key-round'
import Usb from 'lucide-react/icons/usb'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Passkey, passkeyForm, passkeyLabels, passkeys } from '#contract/passkeys/passkeys.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { useSchemaForm } from '#web/lib/forms/form.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from '#web/ui/things.module.css'
import { toasts } from '#web/ui/toast/toast-store.ts'

interface PasskeyRowProps {
  passkey: Passkey
  headingId: string
  onRemoved: () => void
}

/** One key: its name, its times, and what can be done with it. */
export function PasskeyRow({ passkey, headingId, onRemoved }: PasskeyRowProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { name, kind, createdAt, lastUsedAt, lastUsedBrowser } = passkey
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  const momentOf = (time: string) => dateTimeText(time, language)
  return (
    <li className={styles.row}>
      <Icon of={kind === 'passkey' ? KeyRound : Usb} size={20} />
      <div className={styles.about}>
        <p className={classes(styles.name, styles.typed)}>
          {name} {kind === 'securityKey' && <Badge>{t('securityKey')}</Badge>}
          {passkey.backedUp && <Badge>{t('passkeySynced')}</Badge>}
        </p>
        <p className={styles.facts}>
          <span>{t('passkeyAddedAt', { moment: momentOf(createdAt) })}</span>
          <span>
            {lastUsedAt === null
              ? t('passkeyNeverUsed')
              : t('passkeyUsedAt', { moment: momentOf(lastUsedAt), browser: lastUsedBrowser || t('unknownDevice') })}
          </span>
        </p>
      </div>
      <div className={styles.buttons}>
        <Button size="small" aria-label={t('passkeyRenameNamed', { name })} onClick={() => setOpen('rename')}>
          {t('passkeyRename')}
        </Button>
        <Button size="small" aria-label={t('passkeyRemoveNamed', { name })} onClick={() => setOpen('remove')}>
          {t('remove')}
        </Button>
      </div>
      {open === 'rename' && <RenamePasskey passkey={passkey} onClose={close} />}
      <RemovePasskey
        passkey={passkey}
        open={open === 'remove'}
        headingId={headingId}
        onClose={close}
        onRemoved={onRemoved}
      />
    </li>
  )
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation()
  const { mutateAsync } = useSave(passkeys.rename, { inline: true })
  const form = useSchemaForm({
    schema: passkeyForm,
    labels: passkeyLabels,
    values: { name: passkey.name },
    save: async (input) => {
      await mutateAsync({ params: { id: passkey.id }, input })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      size="confirm"
      title={t('passkeyRenameNamed', { name: passkey.name })}
      saveLabel={t('save')}
      initialFocus="first"
      guard={false}
      onClose={onClose}
    >
      <Field {...form.field('name')}>
        <TextInput maxLength={60} autoComplete="off" {...form.register('name')} />
      </Field>
    </FormDialog>
  )
}

interface RemovePasskeyProps {
  passkey: Passkey
  open: boolean
  headingId: string
  onClose: () => void
  onRemoved: () => void
}

function RemovePasskey({ passkey: { id, name }, open, headingId, onClose, onRemoved }: RemovePasskeyProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSave(passkeys.remove)
  const remove = () =>
    mutate(
      { params: { id } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('passkeyRemoved'), content: name })
          // The focused button is about to be removed.
          document.getElementById(headingId)?.focus()
          onRemoved()
        },
        onSettled: onClose,
      },
    )
  return (
    <ConfirmDialog
      open={open}
      title={t('passkeyRemoveTitle', { name })}
      cancelLabel={t('cancel')}
      confirmLabel={t('remove')}
      loading={isPending}
      onCancel={onClose}
      onConfirm={remove}
    >
      {t('passkeyRemoveText')}
    </ConfirmDialog>
  )
}
