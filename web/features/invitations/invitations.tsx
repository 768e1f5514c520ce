import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type InvitationDelivery, invitations } from '#contract/invitations/invitations.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { Loaded, LoadingFailure, useFailure } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { Can } from '#web/lib/session/can.tsx'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Alert } from '#web/ui/alert.tsx'
import { CopyField } from '#web/ui/fields/copy-field.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { deliveryNotice } from './delivery-notice.ts'
import { ResendInvitation } from './resend-invitation.tsx'

const askAgainAfter = 5000

interface PendingInvitationProps {
  email: string
  /** The organisation that the user was invited to. */
  organization: { organizationId: string; name: string }
  /** Called when resending revoked the acceptance: the pending account is replaced by a new invitation. */
  onReplaced: () => void
}

/**
 * For a pending user: delivery status, a resend button and the invitation link. Only shown to admins of the
 * organisation.
 */
export function PendingInvitation(props: PendingInvitationProps) {
  return (
    <Can do="readPeople" to={props.organization}>
      <Delivery {...props} />
    </Can>
  )
}

/** The mail is still queued, so the status will change. */
const isMoving = (state: InvitationDelivery | undefined) => state?.delivery === 'queued' && !state.accepted

function Delivery({ email, organization, onReplaced }: PendingInvitationProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { organizationId } = organization
  const delivery = useQuery({
    ...query(invitations.delivery, { params: { email, organizationId } }),
    staleTime: 0,
    // Polling pauses while the browser tab is hidden.
    refetchInterval: ({ state }) => (isMoving(state.data) ? askAgainAfter : false),
  })
  return (
    <Loaded
      query={delivery}
      skeleton={
        <SkeletonGroup label={t('loading')}>
          <Skeleton shape="control" count={2} />
        </SkeletonGroup>
      }
    >
      {(state) => {
        const { tone, title, text } = deliveryNotice({ delivery: state, email, t, language })
        return (
          <>
            <Alert
              tone={tone}
              title={title}
              live="status"
              action={
                <Can do="resendInvitations" to={organization}>
                  <ResendInvitation
                    email={email}
                    organizationId={organizationId}
                    onSent={() => state.accepted && onReplaced()}
                  />
                </Can>
              }
            >
              {text}
            </Alert>
            {!state.accepted && (
              <Can do="invitePeople" to={organization}>
                <InvitationLink email={email} organization={organization} />
              </Can>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** The invitation link, as long as it is valid. */
function InvitationLink({ email, organization }: Omit<PendingInvitationProps, 'onReplaced'>) {
  const { t } = useTranslation()
  const { organizationId, name } = organization
  const { data, error, refetch } = useQuery({
    ...query(invitations.link, { params: { email, organizationId } }),
    // Each read is recorded in the audit log, so do not fetch the link on every window focus.
    refetchOnWindowFocus: false,
  })
  const failure = useFailure({ error, refetch })
  if (error instanceof ApiProblem && error.status === 404) return null
  // Only the mailed link opens this account.
  if (error instanceof ApiProblem && error.message === 'invitationLinkByMailOnly') return <p>{t('onlyMailedLink')}</p>
  if (data)
    return (
      <CopyField
        label={t('inviteLink')}
        hint={t('inviteLinkHint', { name })}
        value={data.url}
        copyLabel={t('copyLink')}
        copiedLabel={t('copied')}
      />
    )
  return failure ? (
    <LoadingFailure {...failure} />
  ) : (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="control" />
    </SkeletonGroup>
  )
}
