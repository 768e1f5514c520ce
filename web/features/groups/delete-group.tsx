import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Group, groups } from '#contract/groups/groups.ts'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import styles from './groups.module.css'

/** Deletes a group, after it has said who loses what. */
export function DeleteGroup({ group }: { group: Group }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const remove = useSave(groups.remove, { inline: true })
  const { groupId, organizationId, name } = group
  const confirm = () =>
    remove.mutate(
      { params: { id: groupId } },
      {
        onSuccess: () => {
          toasts.show({ tone: 'success', title: t('deleted', { name }) })
          void navigate({ to: '/groups', search: { organizationId }, ignoreBlocker: true })
        },
      },
    )
  return (
    <>
      <Button variant="risky" icon={Trash2} onClick={() => setAsked(true)}>
        {t('delete')}
      </Button>
      <ConfirmDialog
        open={asked}
        title={t('deleteNamed', { name })}
        cancelLabel={t('cancel')}
        confirmLabel={t('delete')}
        loading={remove.isPending}
        error={
          remove.error && (
            <Alert tone="danger" live="alert">
              {problemText(remove.error)}
            </Alert>
          )
        }
        onCancel={() => setAsked(false)}
        onConfirm={confirm}
      >
        <WhatEnds groupId={groupId} />
      </ConfirmDialog>
    </>
  )
}

function WhatEnds({ groupId }: { groupId: string }) {
  const { t } = useTranslation()
  const ends = useQuery(freshQuery(groups.whatEnds, { params: { id: groupId } }))
  return (
    <Loaded
      query={ends}
      skeleton={
        <SkeletonGroup label={t('loading')}>
          <Skeleton shape="row" count={2} />
        </SkeletonGroup>
      }
    >
      {({ people, services, groupAdmins }) => (
        <span className={styles.choices}>
          <span>{t('deleteGroupText', { count: people })}</span>
          {services.map(({ name, people: count, emails }) => (
            <span key={name} className={styles.words}>
              {t('deleteGroupEnds', { service: name, count, names: emails.join(', ') })}
              {count > emails.length && ' …'}
            </span>
          ))}
          {services.length === 0 && <span>{t('deleteGroupEndsNothing')}</span>}
          {groupAdmins.length > 0 && (
            <span className={styles.words}>
              {t('deleteGroupAdmins', { count: groupAdmins.length, names: groupAdmins.join(', ') })}
            </span>
          )}
        </span>
      )}
    </Loaded>
  )
}
