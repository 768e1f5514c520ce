import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Attempt, type AuditStream, auditStreams } from '#contract/audit-streams/audit-streams.ts'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { call } from '#web/lib/requests/api.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { dateTimeText } from '#web/lib/texts/dates.ts'
import { deliveryProblem } from '#web/lib/texts/delivery-problem.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { DescriptionList } from '#web/ui/description-list.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'
import { ResendForm } from './resend-form.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { StreamState } from './stream-state.tsx'

const route = getRouteApi('/audit-streams/$streamId')

/** One endpoint: how it is, and what can be done about it. */
export function StreamDialog() {
  const { t } = useTranslation()
  const { streamId } = route.useParams()
  const onClose = useCloseDialog('/audit-streams')
  const list = useQuery({ ...freshQuery(auditStreams.list), refetchInterval: 10_000 })
  const stream = list.data?.find((one) => one.streamId === streamId)
  const missing = list.data && !stream
  const found = { data: stream, error: missing ? new ApiProblem(404, 'notFound') : list.error, refetch: list.refetch }
  return (
    <LoadingDialog query={found} size="wide" title={t('auditStream')} onClose={onClose}>
      {(one) => <Stream stream={one} onClose={onClose} />}
    </LoadingDialog>
  )
}

function Stream({ stream, onClose }: { stream: AuditStream; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const remove = useSave(auditStreams.remove, { inline: true })
  const [secret, setSecret] = useState<string>()
  const [attempt, setAttempt] = useState<Attempt | Error>()
  const [busy, setBusy] = useState<'test' | 'secret' | 'resend'>()
  const params = { id: stream.streamId }
  const run = async (what: 'test' | 'secret' | 'resend', work: () => Promise<Attempt | undefined>) => {
    setBusy(what)
    setAttempt(undefined)
    setAttempt(await work().catch((error: Error) => error))
    setBusy(undefined)
    void client.invalidateQueries()
  }
  const renew = async () => {
    setSecret((await call(auditStreams.renewSecret, { params })).secret)
    return undefined
  }
  if (secret)
    return <SecretDialog secret={secret} hint={t('streamNewSecretHint')} onClose={() => setSecret(undefined)} />
  return (
    <Dialog
      open
      size="wide"
      title={t('auditStream')}
      closeLabel={t('close')}
      onClose={onClose}
      footerStart={
        <DeleteFlow
          name={stream.url.slice(0, 60)}
          text={t('deleteAuditStreamText')}
          remove={() => remove.mutateAsync({ params })}
          onClose={onClose}
        />
      }
      footer={<Button onClick={() => onClose()}>{t('close')}</Button>}
    >
      <Facts stream={stream} />
      {attempt && <Outcome attempt={attempt} />}
      <FormActions>
        <Button loading={busy === 'secret'} onClick={() => void run('secret', renew)}>
          {t('streamNewSecret')}
        </Button>
        <Button loading={busy === 'test'} onClick={() => void run('test', () => call(auditStreams.test, { params }))}>
          {t('streamTest')}
        </Button>
      </FormActions>
      <ResendForm stream={stream} loading={busy === 'resend'} onSend={(send) => void run('resend', send)} />
    </Dialog>
  )
}

function Outcome({ attempt }: { attempt: Attempt | Error }) {
  const { t } = useTranslation()
  if (attempt instanceof Error)
    return (
      <Alert tone="danger" live="alert">
        {problemText(attempt)}
      </Alert>
    )
  return attempt.delivered ? (
    <Alert tone="ok" live="status">
      {t('streamArrived')}
    </Alert>
  ) : (
    <Alert tone="danger" live="alert">
      {deliveryProblem(t, attempt.problem ?? '')}
    </Alert>
  )
}

function Facts({ stream }: { stream: AuditStream }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { url, stopped, stands, madeBy, deliveredSeq, waiting, lastDeliveredAt, lastProblem, nextTryAt } = stream
  const number = new Intl.NumberFormat(language)
  const moment = (time: string | null) => time && dateTimeText(time, language)
  return (
    <>
      {stopped && <Alert tone="warn">{t(stopped === 'gone' ? 'streamGoneText' : 'streamFailedText')}</Alert>}
      {!stopped && !stands && <Alert tone="warn">{t('streamUnansweredText')}</Alert>}
      <DescriptionList
        items={[
          { term: t('webAddress'), value: url },
          { term: t('streamSecretReadBy'), value: madeBy ?? t('accountGone') },
          { term: t('streamState'), value: <StreamState stream={stream} /> },
          { term: t('streamLastDelivery'), value: moment(lastDeliveredAt) },
          { term: t('streamDelivered'), value: number.format(deliveredSeq) },
          { term: t('streamWaiting'), value: number.format(waiting) },
          ...(lastProblem ? [{ term: t('streamLastProblem'), value: deliveryProblem(t, lastProblem) }] : []),
          ...(nextTryAt ? [{ term: t('streamNextTry'), value: moment(nextTryAt) }] : []),
        ]}
      />
    </>
  )
}
