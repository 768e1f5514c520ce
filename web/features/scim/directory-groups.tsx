import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DirectoryGroup } from '#contract/scim/directory-groups.ts'
import { directories } from '#contract/scim/scim.ts'
import { useRoleWords } from '#web/features/organization-roles/organization-roles.tsx'
import { ListPages } from '#web/lib/lists/list-pages.tsx'
import { freshQuery } from '#web/lib/requests/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { MapGroupDialog } from './map-group-dialog.tsx'

/** What each of the directory's groups becomes here: somebody decides that, never the directory. */
export function DirectoryGroups({ organizationId }: { organizationId: string }) {
  const { t, i18n } = useTranslation()
  const { nameOf } = useRoleWords()
  const [deciding, setDeciding] = useState<DirectoryGroup>()
  const [page, setPage] = useState(1)
  const groups = useQuery({
    ...freshQuery(directories.groups, { params: { id: organizationId }, query: { page } }),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  })
  const { items = [], totalCount = 0, itemsPerPage = 1 } = groups.data ?? {}
  const number = new Intl.NumberFormat(i18n.language)
  const columns: Column<DirectoryGroup>[] = [
    { key: 'name', header: t('scimGroupOfDirectory'), rowHeader: true, cell: ({ name }) => name },
    { key: 'people', header: t('scimGroupPeople'), cell: ({ people }) => number.format(people) },
    {
      key: 'becomes',
      header: t('scimGroupBecomes'),
      cell: ({ groupId, groupName, role, roleName, waiting, heldBack }) => (
        <>
          {groupId && (
            <Link to="/groups/$groupId" params={{ groupId }}>
              {t('scimGroupIsGroup', { name: groupName })}
            </Link>
          )}
          {role && t('scimGroupIsRole', { name: nameOf({ role, name: roleName }) })}
          {!groupId && !role && t('scimGroupIsNothing')}
          {waiting > 0 && <Badge tone="warn">{t('groupWaiting', { count: waiting })}</Badge>}
          {heldBack > 0 && <Badge tone="warn">{t('scimGroupHeldBack', { count: heldBack })}</Badge>}
        </>
      ),
    },
    {
      key: 'decide',
      header: t('actions'),
      cell: (group) => (
        <Button
          size="small"
          aria-label={t('scimGroupDecideNamed', { name: group.name })}
          onClick={() => setDeciding(group)}
        >
          {t('scimGroupDecide')}
        </Button>
      ),
    },
  ]
  return (
    <>
      <h2>{t('scimGroups')}</h2>
      <p>{t(totalCount > 0 ? 'scimGroupsText' : 'scimGroupsEmpty')}</p>
      {totalCount > 0 && (
        <Card flush>
          <Table caption={t('scimGroups')} columns={columns} rows={items} rowKey={({ scimGroupId }) => scimGroupId} />
          <ListPages
            list={t('scimGroups')}
            page={page}
            totalCount={totalCount}
            itemsPerPage={itemsPerPage}
            settled={!groups.isPlaceholderData}
            onPage={setPage}
          />
        </Card>
      )}
      {deciding && (
        <MapGroupDialog organizationId={organizationId} group={deciding} onClose={() => setDeciding(undefined)} />
      )}
    </>
  )
}
