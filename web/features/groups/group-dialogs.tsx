import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Group, type GroupForm, groupForm, groupLabels, groups } from '#contract/groups/groups.ts'
import { type CloseDialog, useCloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { FormDialog } from '#web/lib/dialogs/form-dialog.tsx'
import { LoadingDialog } from '#web/lib/dialogs/loading-dialog.tsx'
import { draftFrom } from '#web/lib/forms/draft.ts'
import { call } from '#web/lib/requests/api.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { DeleteGroup } from './delete-group.tsx'
import { GroupFields } from './group-fields.tsx'
import { useWhoseGroups } from './use-whose-groups.ts'

const listing = getRouteApi('/groups')
const editing = getRouteApi('/groups/$groupId/edit')
const read = (id: string) => freshQuery(groups.read, { params: { id } })

const draftOf = (organizationId: string) => ({
  schema: groupForm,
  labels: { ...groupLabels, organizationId: 'organization' as const },
  draftOf: (group: Partial<Group>) =>
    draftFrom({ organizationId, name: '', ruleAttribute: '', ruleValue: '', services: [] as Group['services'] }, group),
  nameOf: ({ name }: GroupForm) => name,
})

export function CreateGroupDialog() {
  const { organizationId: asked } = listing.useSearch()
  const organizationId = useWhoseGroups(asked)
  const can = useCan()
  if (!organizationId || !can('manageGroups', { organizationId })) return null
  return <CreateGroup organizationId={organizationId} />
}

/** The next step is to put people in, so the new group is opened. */
function CreateGroup({ organizationId }: { organizationId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const close = useCloseDialog('/groups')
  const created = useRef<string>(undefined)
  const onClose: CloseDialog = (how) => {
    const groupId = created.current
    if (!groupId) return close(how)
    void navigate({ to: '/groups/$groupId', params: { groupId }, replace: true, ignoreBlocker: true })
  }
  const dialog = useEntityDialog({
    ...draftOf(organizationId),
    onClose,
    save: async (input) => {
      created.current = (await call(groups.create, { input })).groupId
      void client.invalidateQueries()
    },
  })
  return (
    <FormDialog {...dialog} size="small" title={t('createGroup')}>
      <GroupFields form={dialog.form} organizationId={organizationId} />
    </FormDialog>
  )
}

export function EditGroupDialog() {
  const { t } = useTranslation()
  const { groupId } = editing.useParams()
  const onClose = useCloseDialog('/groups/$groupId')
  return (
    <LoadingDialog query={useQuery(read(groupId))} size="small" title={t('editGroup')} onClose={onClose}>
      {(group) => <EditGroup key={groupId} group={group} onClose={onClose} />}
    </LoadingDialog>
  )
}

function EditGroup({ group, onClose }: { group: Group; onClose: CloseDialog }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const update = useSave(groups.update, { inline: true })
  const { groupId, organizationId, name } = group
  const dialog = useEntityDialog({
    ...draftOf(organizationId),
    entity: group,
    reload: () => client.fetchQuery(read(groupId)),
    onClose,
    save: ({ organizationId: _, ...input }, { version }) =>
      update.mutateAsync({ input: { ...input, groupId, version } }),
  })
  return (
    <FormDialog
      {...dialog}
      size="small"
      title={t('editGroup')}
      subtitle={name}
      footerStart={<DeleteGroup group={group} />}
    >
      <GroupFields form={dialog.form} organizationId={organizationId} group={group} />
    </FormDialog>
  )
}
