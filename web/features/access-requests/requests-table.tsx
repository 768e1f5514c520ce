import { useTranslation } from 'react-i18next'
import { type AccessRequest, accessRequests } from '#contract/access-requests/access-requests.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Day } from '#web/lib/texts/day.tsx'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Button } from '#web/ui/button.tsx'
import { ServiceIcon } from '#web/ui/service-icon.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './access-requests.module.css'

interface RequestsTableProps {
  rows: readonly AccessRequest[]
  busy: boolean
  onRefuse: (request: AccessRequest) => void
}

export function RequestsTable({ rows, busy, onRefuse }: RequestsTableProps) {
  const { t } = useTranslation()
  const { granting, give } = useGrant()
  const columns: Column<AccessRequest>[] = [
    {
      key: 'person',
      header: t('person'),
      rowHeader: true,
      cell: ({ name, email }) => (
        <span className={styles.person}>
          <span>{name ?? email}</span>
          {name && <span className={styles.quiet}>{email}</span>}
        </span>
      ),
    },
    {
      key: 'service',
      header: t('service'),
      cell: ({ serviceName, serviceIcon, seatsLeft }) => (
        <span className={styles.service}>
          <ServiceIcon name={serviceName} icon={serviceIcon} />
          <span className={styles.person}>
            <span>{serviceName}</span>
            {seatsLeft !== null && (
              <span className={styles.quiet} data-full={seatsLeft <= 0 || undefined}>
                {seatsLeft > 0 ? t('seatsLeft', { count: seatsLeft }) : t('noSeatsLeftShort')}
              </span>
            )}
          </span>
        </span>
      ),
    },
    { key: 'organization', header: t('organization'), cell: ({ organizationName }) => organizationName },
    { key: 'createdAt', header: t('requestedAt'), cell: ({ createdAt }) => <Day at={createdAt} /> },
    {
      key: 'actions',
      header: t('actions'),
      buttons: true,
      cell: (request) => {
        const names = { person: request.name ?? request.email, service: request.serviceName }
        return (
          <span className={styles.actions}>
            <Button size="small" aria-label={t('refuseAccessTo', names)} onClick={() => onRefuse(request)}>
              {t('refuse')}
            </Button>
            <Button
              size="small"
              variant="primary"
              aria-label={t('giveAccessTo', names)}
              loading={granting === request.requestId}
              onClick={() => give(request)}
            >
              {t('giveAccess')}
            </Button>
          </span>
        )
      },
    },
  ]
  return (
    <Table
      caption={t('accessRequests')}
      columns={columns}
      rows={rows}
      rowKey={({ requestId }) => requestId}
      busy={busy}
    />
  )
}

const heading = () => document.querySelector<HTMLElement>('#main h1')

/** Gives access. The row goes, so the focus moves to the heading. */
function useGrant() {
  const { t } = useTranslation()
  const save = useSave(accessRequests.grant, { inline: true })
  const give = async ({ requestId, name, email, serviceName }: AccessRequest) => {
    try {
      await save.mutateAsync({ params: { id: requestId } })
      const content = t('accessGiven', { person: name ?? email, service: serviceName })
      toasts.show({ tone: 'success', title: content })
      heading()?.focus()
    } catch (error) {
      const gone = error instanceof ApiProblem && error.status === 404
      toasts.show({ tone: 'danger', title: gone ? t('requestGone') : problemText(error as Error) })
    }
  }
  return {
    granting: save.isPending ? save.variables?.params.id : undefined,
    give: (request: AccessRequest) => void give(request),
  }
}
