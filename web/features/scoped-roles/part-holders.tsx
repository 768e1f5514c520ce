import UserMinus from 'lucide-react/icons/user-minus'
import UserPlus from 'lucide-react/icons/user-plus'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Period } from '#contract/fields/period.ts'
import type { ScopedHolder } from '#contract/scoped-roles/scoped-roles.ts'
import { MemberDialog } from '#web/lib/dialogs/member-dialog.tsx'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './scoped-roles.module.css'

interface PartHoldersProps {
  title: string
  /** What they may, in words. */
  text: string
  emptyText: string
  /** What one of them is called. */
  role: string
  nameLabel: string
  organization: string
  holders: readonly ScopedHolder[] | undefined
  name: (input: Period & { email: string }) => Promise<void>
  dismiss: (accountId: string) => Promise<void>
}

const nameOf = ({ firstName, lastName, email }: ScopedHolder) =>
  [firstName, lastName].filter(Boolean).join(' ') || email

/** Who has a role for a part of an organisation, with the ways to name and dismiss them. */
export function PartHolders(props: PartHoldersProps) {
  const { title, text, emptyText, role, nameLabel, organization, holders, name } = props
  const { t } = useTranslation()
  const heading = useId()
  const [naming, setNaming] = useState(false)
  return (
    <section className={styles.part} aria-labelledby={heading}>
      <div className={styles.line}>
        <h2 id={heading}>{title}</h2>
        <Button size="small" icon={UserPlus} onClick={() => setNaming(true)}>
          {nameLabel}
        </Button>
      </div>
      <p className={styles.quiet}>{text}</p>
      {holders && holders.length > 0 ? (
        <Card>
          <ul className={styles.holders}>
            {holders.map((holder) => (
              <Holder key={holder.accountId} holder={holder} dismiss={props.dismiss} />
            ))}
          </ul>
        </Card>
      ) : (
        holders && <p className={styles.quiet}>{emptyText}</p>
      )}
      {naming && (
        <MemberDialog
          title={nameLabel}
          organization={organization}
          text={text}
          saveLabel={t('save')}
          save={async (input) => {
            await name(input)
            toasts.show({ tone: 'success', title: t('namedForPart', { name: input.email, role }) })
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </section>
  )
}

function Holder({ holder, dismiss }: { holder: ScopedHolder; dismiss: (accountId: string) => Promise<void> }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const name = nameOf(holder)
  const day = (date: string) => dayText(date, language, 'full')
  const about = [
    name === holder.email ? undefined : holder.email,
    holder.validFrom && t('beginsOn', { day: day(holder.validFrom) }),
    holder.validUntil && t('endsOn', { day: day(holder.validUntil) }),
  ]
  const confirm = async () => {
    setBusy(true)
    // A failure is a toast.
    await dismiss(holder.accountId).catch(() => undefined)
    setBusy(false)
    setAsked(false)
  }
  return (
    <li className={styles.holder}>
      <span className={styles.name}>
        {name}
        <span className={styles.quiet}>{about.filter(Boolean).join(' · ')}</span>
      </span>
      <IconButton icon={UserMinus} label={t('dismissNamed', { name })} onClick={() => setAsked(true)} />
      <ConfirmDialog
        open={asked}
        title={t('dismissTitle', { name })}
        cancelLabel={t('cancel')}
        confirmLabel={t('takeRole')}
        loading={busy}
        onCancel={() => setAsked(false)}
        onConfirm={() => void confirm()}
      >
        {t('dismissText')}
      </ConfirmDialog>
    </li>
  )
}
