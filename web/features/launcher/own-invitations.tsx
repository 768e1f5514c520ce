import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OwnInvitation } from '#contract/invitations/invitations.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { floorText } from '#web/lib/texts/floor-text.ts'
import { messageText, useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { InvitationCard } from '#web/ui/invitation-card.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './own-invitations.module.css'
import { useAnswer } from './use-answer.ts'

// Loaded on demand: the dialog code is a fifth of the launcher, and few users decline.
const loadDialog = () => import('#web/ui/confirm-dialog.tsx')
const ConfirmDialog = lazy(async () => ({ default: (await loadDialog()).ConfirmDialog }))

const heading = () => document.querySelector<HTMLElement>('#main h1')

/** Invitations of the signed-in user. Accepting is immediate; declining asks for confirmation. */
export function OwnInvitations({ list }: { list: readonly OwnInvitation[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { accept, decline, accepting, declining } = useAnswer()
  const [asked, setAsked] = useState<OwnInvitation>()
  // The name stays in the dialog while it fades out.
  const named = useRef(asked)
  named.current = asked ?? named.current
  const declined = useRef(false)

  const ask = async (invitation: OwnInvitation) => {
    try {
      await loadDialog()
    } catch {
      return toasts.show({ tone: 'danger', title: messageText('genericErrorMessage') })
    }
    declined.current = false
    setAsked(invitation)
  }
  const sayYes = async (invitation: OwnInvitation) => {
    // The focused button is removed with its card.
    if (await accept(invitation)) heading()?.focus()
  }
  const sayNo = async (invitation: OwnInvitation) => {
    declined.current = await decline(invitation)
    setAsked(undefined)
  }
  return (
    <>
      {list.length > 0 && (
        <ul className={styles.list} aria-label={t('invitations')}>
          {list.map((invitation) => {
            const { invitationId, organizationName: name, inviterName, message, expiresAt } = invitation
            const asked = floorText(invitation)
            return (
              <li key={invitationId}>
                <InvitationCard
                  title={t('invitesYou', { name })}
                  facts={[
                    ...(inviterName ? [t('sentBy', { name: inviterName })] : []),
                    t('answerBy', { moment: dateTimeText(expiresAt, language) }),
                    ...(asked ? [t(asked)] : []),
                  ]}
                  message={message}
                  actions={(titleId) => (
                    <>
                      <Button aria-describedby={titleId} onClick={() => void ask(invitation)}>
                        {t('decline')}
                      </Button>
                      <Button
                        variant="primary"
                        aria-describedby={titleId}
                        disabled={asked === 'guestsOnly'}
                        loading={accepting === invitationId}
                        onClick={() => void sayYes(invitation)}
                      >
                        {t('accept')}
                      </Button>
                    </>
                  )}
                />
              </li>
            )
          })}
        </ul>
      )}
      {named.current && (
        <Suspense>
          <ConfirmDialog
            open={asked !== undefined}
            title={t('declineTitle', { name: named.current.organizationName })}
            cancelLabel={t('cancel')}
            confirmLabel={t('decline')}
            loading={declining}
            finalFocus={() => (declined.current ? heading() : true)}
            onCancel={() => setAsked(undefined)}
            onConfirm={() => asked && void sayNo(asked)}
          >
            {t('declineText')}
          </ConfirmDialog>
        </Suspense>
      )}
    </>
  )
}
