import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type AuditEventDetail, auditEvents } from '#contract/audit-events/audit-events.ts'
import { useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { query } from '#web/lib/requests/query.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Button } from '#web/ui/button.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import styles from './audit-events.module.css'
import { ErasePerson } from './erase-person.tsx'
import { EventChanges } from './event-changes.tsx'
import { eventTextKey, isOfSignIn } from './event-names.ts'
import { Named } from './named.tsx'
import { useSentence } from './use-sentence.ts'

const route = getRouteApi('/audit-events/$id')

/** One event: what happened, who did it, when, and what changed. */
export function AuditEventDialog() {
  const { t } = useTranslation()
  const { id } = route.useParams()
  const close = useCloseDialog('/audit-events')
  return (
    <LoadingDialog
      query={useQuery(query(auditEvents.read, { params: { id } }))}
      size="wide"
      title={t('auditEvent')}
      onClose={close}
    >
      {(event) => (
        <Dialog
          open
          size="wide"
          title={t(eventTextKey(event.name))}
          closeLabel={t('close')}
          onClose={close}
          footer={<Button onClick={() => close()}>{t('close')}</Button>}
        >
          <p className={styles.sentence}>
            <Sentence event={event} />
          </p>
          <Facts event={event} />
          <ErasePerson event={event} />
          <section className={styles.changes}>
            <h3>{t(isOfSignIn(event.name) ? 'eventDetails' : 'eventChanges')}</h3>
            <EventChanges of={event.name} changes={event.changes} />
          </section>
        </Dialog>
      )}
    </LoadingDialog>
  )
}

function Sentence({ event }: { event: AuditEventDetail }) {
  return useSentence()(event)
}

function Facts({ event }: { event: AuditEventDetail }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { actor, actorName, actorLink, target, targetName, targetLink, targetId, createdAt, requestId } = event
  return (
    <DescriptionList
      items={[
        { term: t('eventActor'), value: <Named label={actor} name={actorName} link={actorLink} /> },
        {
          term: t('eventTarget'),
          value: (
            <>
              <Named label={target} name={targetName} link={targetLink} />
              {targetId && (
                <Link to="/audit-events" search={{ targetIdFilter: targetId }} className={styles.more}>
                  {t('eventsAboutThis')}
                </Link>
              )}
            </>
          ),
        },
        {
          term: t('eventTime'),
          value: <time dateTime={createdAt}>{dateTimeText(createdAt, language)}</time>,
        },
        { term: t('eventRequestId'), value: requestId && <code>{requestId}</code> },
      ]}
    />
  )
}
