import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Notice, type NoticeForm, noticeForm, noticeLabels, notices } from '#contract/notices/notices.ts'
import { DeleteFlow } from '#web/lib/dialogs/delete-flow.tsx'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { NoticeFields, newNotice } from './notice-fields.tsx'

const route = getRouteApi('/notices/$noticeId')
const read = (id: string) => freshQuery(notices.read, { params: { id } })
const short = (message: string) => (message.length > 60 ? `${message.slice(0, 60)}…` : message)

const draft = {
  schema: noticeForm,
  labels: noticeLabels,
  draftOf: (notice: Partial<Notice>) => draftFrom(newNotice(), notice),
  nameOf: ({ message }: NoticeForm) => short(message),
}

export function CreateNoticeDialog() {
  const { t } = useTranslation()
  const onClose = useCloseDialog('/notices')
  const create = useSave(notices.create, { inline: true })
  const dialog = useEntityDialog({ ...draft, onClose, save: (input) => create.mutateAsync({ input }) })
  return (
    <FormDialog {...dialog} size="small" title={t('createNotice')}>
      <NoticeFields form={dialog.form} />
    </FormDialog>
  )
}

export function EditNoticeDialog() {
  const { t } = useTranslation()
  const { noticeId } = route.useParams()
  const onClose = useCloseDialog('/notices')
  return (
    <LoadingDialog query={useQuery(read(noticeId))} size="small" title={t('editNotice')} onClose={onClose}>
      {(notice) => <EditNotice key={noticeId} notice={notice} onClose={onClose} />}
    </LoadingDialog>
  )
}

function EditNotice({ notice, onClose }: { notice: Notice; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const update = useSave(notices.update, { inline: true })
  const remove = useSave(notices.remove, { inline: true })
  const { noticeId, message } = notice
  const dialog = useEntityDialog({
    ...draft,
    entity: notice,
    reload: () => client.fetchQuery(read(noticeId)),
    onClose,
    save: (input, { version }) => update.mutateAsync({ input: { ...input, noticeId, version } }),
  })
  return (
    <FormDialog
      {...dialog}
      size="small"
      title={t('editNotice')}
      footerStart={
        <DeleteFlow
          name={short(message)}
          text={t('deleteNoticeText')}
          remove={() => remove.mutateAsync({ params: { id: noticeId } })}
          onClose={onClose}
        />
      }
    >
      <NoticeFields form={dialog.form} />
    </FormDialog>
  )
}
