import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accessReviews } from '#contract/access-reviews/access-reviews.ts'
import type { ServiceReviewer } from '#contract/access-reviews/review-answers.ts'
import { users } from '#contract/users/users.ts'
import { useSearchText } from '#web/lib/lists/use-search-text.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './access-review.module.css'
import { PersonName } from './people-table.tsx'
import type { ReviewAnswer } from './use-review.ts'

// Loaded on demand: the combobox is as large as the rest of the page.
const Combobox = lazy(async () => ({ default: (await import('#web/ui/fields/combobox.tsx')).Combobox }))

interface ReviewersProps {
  organizationId: string
  answer: ReviewAnswer
}

/** Members who are asked about one service, such as who is responsible for it. */
export function Reviewers({ organizationId, answer }: ReviewersProps) {
  const { t } = useTranslation()
  const title = useId()
  const remind = useSave(accessReviews.remind)
  const sendReminder = () =>
    remind.mutate(
      { params: { id: organizationId } },
      { onSuccess: () => toasts.show({ tone: 'success', title: t('reviewReminded') }) },
    )
  return (
    <section className={styles.reviewers} aria-labelledby={title}>
      <div className={styles.reviewersTitle}>
        <h2 id={title}>{t('reviewers')}</h2>
        {answer.services.some(({ done, total }) => done < total) && (
          <Button size="small" loading={remind.isPending} onClick={sendReminder}>
            {t('reviewRemind')}
          </Button>
        )}
      </div>
      <p className={styles.quiet}>{t('reviewersHint')}</p>
      <Card>
        <Ask organizationId={organizationId} answer={answer} />
      </Card>
      {answer.reviewers.length > 0 && (
        <Card flush>
          <Asked organizationId={organizationId} answer={answer} />
        </Card>
      )}
    </section>
  )
}

function Ask({ organizationId, answer }: ReviewersProps) {
  const { t } = useTranslation()
  const ask = useSave(accessReviews.ask)
  const [serviceId, setServiceId] = useState('')
  const [accountId, setAccountId] = useState<string | null>(null)
  const [missing, setMissing] = useState(false)
  const [searchQuery, setSearchQuery] = useState('')
  const [, search] = useSearchText(searchQuery, setSearchQuery)
  const members = useQuery(
    query(users.ofOrganization, {
      params: { id: organizationId },
      query: { status: 'active', searchQuery: searchQuery.slice(0, 200) },
    }),
  )
  const send = () => {
    setMissing(!serviceId || !accountId)
    if (!serviceId || !accountId) return
    ask.mutate(
      { params: { id: organizationId }, input: { serviceId, accountId } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('reviewerAsked') })
          setAccountId(null)
        },
      },
    )
  }
  return (
    <form
      className={styles.ask}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!ask.isPending) send()
      }}
    >
      <Field label={t('service')} error={missing && !serviceId ? t('required') : undefined}>
        <Select value={serviceId} onChange={(event) => setServiceId(event.target.value)}>
          <option value="">{t('chooseService')}</option>
          {answer.services.map(({ serviceId: id, name, done, total }) => (
            <option key={id} value={id}>
              {t('reviewServiceProgress', { name, done, total })}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={t('reviewer')} error={missing && !accountId ? t('required') : undefined}>
        <Suspense fallback={<Skeleton shape="control" />}>
          <Combobox
            options={(members.data?.items ?? []).map(({ accountId: value, firstName, lastName, email }) => ({
              value,
              label: [firstName, lastName].filter(Boolean).join(' ') || email,
              hint: email,
            }))}
            value={accountId}
            onChange={setAccountId}
            placeholder={t('reviewerPlaceholder')}
            emptyText={t('reviewerNone')}
            clearLabel={t('clearChoice')}
            openLabel={t('showChoices')}
            onSearch={search}
          />
        </Suspense>
      </Field>
      <Button type="submit" loading={ask.isPending}>
        {t('reviewerAsk')}
      </Button>
    </form>
  )
}

function Asked({ organizationId, answer }: ReviewersProps) {
  const { t } = useTranslation()
  const dismiss = useSave(accessReviews.dismiss)
  const service = (id: string) => answer.services.find(({ serviceId }) => serviceId === id)
  const columns: Column<ServiceReviewer>[] = [
    { key: 'person', header: t('person'), rowHeader: true, cell: (person) => <PersonName {...person} /> },
    { key: 'service', header: t('service'), cell: ({ serviceId }) => service(serviceId)?.name },
    {
      key: 'progress',
      header: t('reviewState'),
      cell: ({ serviceId }) => {
        const { done = 0, total = 0 } = service(serviceId) ?? {}
        return t('reviewProgress', { done, total })
      },
    },
    {
      key: 'actions',
      header: t('actions'),
      buttons: true,
      cell: ({ serviceId, accountId, name, email }) => (
        <Button
          size="small"
          disabled={dismiss.isPending}
          aria-label={t('reviewerDismissNamed', { person: name ?? email, service: service(serviceId)?.name ?? '' })}
          onClick={() => dismiss.mutate({ params: { id: organizationId, serviceId, accountId } })}
        >
          {t('reviewerDismiss')}
        </Button>
      ),
    },
  ]
  return (
    <Table
      caption={t('reviewers')}
      columns={columns}
      rows={answer.reviewers}
      rowKey={({ accountId, serviceId }) => `${accountId} ${serviceId}`}
    />
  )
}
