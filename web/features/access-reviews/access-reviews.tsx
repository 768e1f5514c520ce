// The public interface of this room: what somebody is asked to review.
import { useQuery } from '@tanstack/react-query'
import { createLink } from '@tanstack/react-router'
import ClipboardCheck from 'lucide-react/icons/clipboard-check'
import { useTranslation } from 'react-i18next'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import { query } from '#web/lib/requests/query.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { InvitationCard } from '#web/ui/invitation-card.tsx'

const OpenLink = createLink(LinkButton)

/** The access reviews for which this person is asked, with the way there. */
export function AskedReviews() {
  const { t } = useTranslation()
  const { data = [] } = useQuery(query(accessReviews.asked))
  if (data.length === 0) return null
  return (
    <ul aria-label={t('accessReviews')}>
      {data.map(({ organizationId, organizationName, services, undecided }) => (
        <li key={organizationId}>
          <InvitationCard
            icon={ClipboardCheck}
            title={t('reviewAsksYou', { name: organizationName, services: services.join(', ') })}
            facts={[undecided > 0 ? t('reviewAsksYouCount', { count: undecided }) : t('reviewAsksYouDone')]}
            actions={(titleId) => (
              <OpenLink
                to="/access-reviews/$organizationId"
                params={{ organizationId }}
                search={{}}
                variant={undecided > 0 ? 'primary' : 'secondary'}
                aria-describedby={titleId}
              >
                {t('mailReviewOpen')}
              </OpenLink>
            )}
          />
        </li>
      ))}
    </ul>
  )
}
