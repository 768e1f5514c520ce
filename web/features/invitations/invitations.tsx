import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type InvitationDelivery, invitations } from '#contract/invitations.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { Can } from '#web/lib/can.tsx'
import { useLanguage } from '#web/lib/i18n.ts'
import { LoadingFailure, useFailure } from '#web/lib/loaded.tsx'
import { query } from '#web/lib/query.ts'
import { Alert } from '#web/ui/alert.tsx'
import { CopyField } from '#web/ui/copy-field.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { deliveryNotice } from './delivery-notice.ts'
import { ResendInvitation } from './resend-invitation.tsx'

const askAgainAfter = 5000

interface PendingInvitationProps {
  email: string
  /** The organisation that the person was invited to. */
  organizationId: string
}

/**
 * For somebody who is still pending: how far the invitation has come, a way to send it again, and its link. Only for
 * who administers the organisation; for others there is nothing here.
 */
export function PendingInvitation(props: PendingInvitationProps) {
  return (
    <Can do="administerOrganization" to={{ organizationId: props.organizationId }}>
      <Delivery {...props} />
    </Can>
  )
}

const notThere = (error: unknown) => error instanceof ApiProblem && error.status === 404
/** The mail is still on its way, and its state will change by itself. */
const isMoving = (state: InvitationDelivery | undefined) => state?.delivery === 'queued' && !state.accepted

function Delivery({ email, organizationId }: PendingInvitationProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    ...query(invitations.delivery, { params: { email, organizationId } }),
    staleTime: 0,
    // Not in a tab that nobody looks at.
    refetchInterval: ({ state }) => (isMoving(state.data) ? askAgainAfter : false),
  })
  const failure = useFailure({ error, refetch })
  if (data === undefined && !failure)
    return (
      <SkeletonGroup label={t('loading')}>
        <Skeleton shape="control" count={2} />
      </SkeletonGroup>
    )
  const delivery = notThere(error) ? null : data
  if (delivery === undefined) return failure && <LoadingFailure {...failure} />
  const { tone, title, text } = deliveryNotice({ delivery, email, t, language })
  return (
    <>
      <Alert
        tone={tone}
        title={title}
        live="status"
        action={
          <ResendInvitation
            email={email}
            organizationId={organizationId}
            label={t(delivery ? 'resendInvitation' : 'sendInvitation')}
          />
        }
      >
        {text}
      </Alert>
      {delivery && !delivery.accepted && <InvitationLink email={email} organizationId={organizationId} />}
    </>
  )
}

/** The link itself, where the server gives it: to somebody who belongs to this organisation alone. */
function InvitationLink({ email, organizationId }: PendingInvitationProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(query(invitations.link, { params: { email, organizationId } }))
  const failure = useFailure({ error, refetch })
  if (notThere(error)) return null
  if (data)
    return <CopyField label={t('inviteLink')} value={data.url} copyLabel={t('copyLink')} copiedLabel={t('copied')} />
  return failure ? (
    <LoadingFailure {...failure} />
  ) : (
    <SkeletonGroup label={t('loading')}>
      <Skeleton shape="control" />
    </SkeletonGroup>
  )
}
