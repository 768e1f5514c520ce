import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGroups } from '#web/features/groups/groups.tsx'
import { WhatTheyMade } from '#web/features/organization-roles/organization-roles.tsx'
import { RoleField } from '#web/features/service-roles/service-roles.tsx'
import { LoadingFailure, useFailure } from '#web/lib/requests/loaded.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { useFilterServices } from '../filters/use-filter-services.ts'
import styles from './bulk.module.css'
import { type BulkActionName, bulkActions, sendBulk } from './bulk-actions.ts'
import { BulkRows } from './bulk-rows.tsx'
import { nameOf, type Selected } from './use-selection.ts'

interface BulkDialogProps {
  action: BulkActionName
  people: readonly Selected[]
  organizationId: string | undefined
  /** Who needs nothing more: done, or nothing to do. */
  onSettled: (people: readonly Selected[]) => void
  onClose: () => void
}

/** Shows what an action would do with each selected person, does it, and says what became of each. */
export function BulkDialog({ action, people: selected, organizationId, onSettled, onClose }: BulkDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  // The selection shrinks as people are settled; the dialog goes on showing them.
  const [people, setPeople] = useState(selected)
  const [serviceId, setServiceId] = useState<string>()
  const [roleId, setRoleId] = useState<string>()
  const [groupId, setGroupId] = useState<string>()
  const needsService = 'needsService' in bulkActions[action]
  const needsRole = 'needsRole' in bulkActions[action]
  const needsGroup = 'needsGroup' in bulkActions[action]
  const accountIds = people.map(({ accountId }) => accountId)
  const request = { action, organizationId, serviceId, roleId, groupId, accountIds }
  const preview = useQuery({
    queryKey: ['bulk', request],
    queryFn: () => sendBulk(request, { dryRun: true }),
    enabled:
      (!needsService || serviceId !== undefined) &&
      (!needsRole || roleId !== undefined) &&
      (!needsGroup || groupId !== undefined),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const run = useMutation({
    mutationFn: () => sendBulk(request, { dryRun: false }),
    onSuccess: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'bulk' }),
  })
  const failure = useFailure(preview)
  const rows = run.data ?? preview.data
  const possible = preview.data?.filter(({ outcome }) => outcome === 'done').length ?? 0
  const failed = run.data?.filter(({ outcome }) => outcome === 'failed') ?? []
  const close = () => {
    if (run.isPending) return
    const failedIds = new Set(failed.map(({ accountId }) => accountId))
    if (run.data) onSettled(people.filter(({ accountId }) => !failedIds.has(accountId)))
    onClose()
  }
  const again = () => {
    const failedIds = new Set(failed.map(({ accountId }) => accountId))
    onSettled(people.filter(({ accountId }) => !failedIds.has(accountId)))
    setPeople(people.filter(({ accountId }) => failedIds.has(accountId)))
    run.reset()
  }
  // Without a selection its bar is gone, and with it the button that the focus would go back to.
  const heading = useRef<HTMLElement>(null)
  useEffect(() => {
    heading.current = document.querySelector<HTMLElement>('main h1')
  }, [])
  const label = t(bulkActions[action].label)
  return (
    <Dialog
      open
      size="form"
      title={label}
      subtitle={t('selectedCount', { count: people.length })}
      closeLabel={t('close')}
      finalFocus={run.data && failed.length === 0 ? heading : undefined}
      onClose={close}
      footer={
        run.data ? (
          <>
            {failed.length > 0 && <Button onClick={again}>{t('bulkTryFailedAgain')}</Button>}
            <Button variant="primary" onClick={close}>
              {t('close')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={close}>{t('cancel')}</Button>
            <Button
              variant={'danger' in bulkActions[action] ? 'danger' : 'primary'}
              loading={run.isPending}
              aria-disabled={possible === 0 || undefined}
              onClick={() => possible > 0 && run.mutate()}
            >
              {possible > 0 ? t('bulkConfirm', { action: label, number: possible }) : label}
            </Button>
          </>
        )
      }
    >
      <div className={styles.body}>
        {action === 'remove' && !run.data && (
          <>
            <p>{t('bulkRemoveText')}</p>
            {people.filter(hasRole).map((person) => (
              <WhatTheyMade
                key={person.accountId}
                {...{ accountId: person.accountId, organizationId, name: nameOf(person) }}
              />
            ))}
          </>
        )}
        {needsService && !run.data && (
          <ServiceField organizationId={organizationId} value={serviceId} onChoose={setServiceId} />
        )}
        {needsRole && organizationId && !run.data && (
          <RoleField organizationId={organizationId} value={roleId} onChoose={setRoleId} />
        )}
        {needsGroup && !run.data && (
          <GroupField organizationId={organizationId} value={groupId} onChoose={setGroupId} />
        )}
        {rows ? (
          <BulkRows
            people={people}
            rows={rows}
            isDone={run.data !== undefined}
            takesAway={'takesAway' in bulkActions[action]}
          />
        ) : failure ? (
          <LoadingFailure {...failure} />
        ) : (
          preview.isFetching && (
            <SkeletonGroup label={t('loading')}>
              <Skeleton shape="row" count={Math.min(people.length, 5)} />
            </SkeletonGroup>
          )
        )}
      </div>
    </Dialog>
  )
}

/** Only who has a role can have made what works by it. */
const hasRole = ({ organizations }: Selected) =>
  organizations.some(({ userRole, roles }) => userRole !== 'regular' || (roles?.length ?? 0) > 0)

function GroupField({ organizationId, value = '', onChoose }: ServiceFieldProps) {
  const { t } = useTranslation()
  const groups = useGroups(organizationId)
  return (
    <Field label={t('group')}>
      <Select value={value} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{t('chooseGroup')}</option>
        {groups.map(({ groupId, name }) => (
          <option key={groupId} value={groupId}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface ServiceFieldProps {
  organizationId: string | undefined
  value: string | undefined
  onChoose: (id: string | undefined) => void
}

function ServiceField({ organizationId, value = '', onChoose }: ServiceFieldProps) {
  const { t } = useTranslation()
  const services = useFilterServices(organizationId ? { organizationId } : undefined)
  return (
    <Field label={t('service')}>
      <Select value={value} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{t('chooseService')}</option>
        {services.map(({ serviceId, name }) => (
          <option key={serviceId} value={serviceId}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}
