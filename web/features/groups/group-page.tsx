import { useQuery } from '@tanstack/react-query'
import { createLink, getRouteApi, Link, Outlet } from '@tanstack/react-router'
import Pencil from 'lucide-react/icons/pencil'
import UserPlus from 'lucide-react/icons/user-plus'
import UsersRound from 'lucide-react/icons/users-round'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { GroupMember } from '#contract/groups/group-people.ts'
import { type Group, groups } from '#contract/groups/groups.ts'
import { GroupAdmins } from '#web/features/scoped-roles/scoped-roles.tsx'
import { AdministrationPage } from '#web/lib/administration-page.tsx'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'
import { SearchedList } from '#web/lib/lists/searched-list.tsx'
import { query } from '#web/lib/requests/query.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { dayText } from '#web/lib/texts/dates.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import { AddByEmailDialog } from './add-by-email.tsx'
import { AddPeopleDialog } from './add-people-dialog.tsx'
import { sourceTexts } from './group-texts.ts'
import styles from './groups.module.css'
import { TakeOut } from './take-out.tsx'
import { useServiceNames } from './use-service-names.ts'

const EditLink = createLink(LinkButton)
const route = getRouteApi('/groups/$groupId')

/** Who is in a group. */
export function GroupPage() {
  const { t } = useTranslation()
  const { groupId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [adding, setAdding] = useState(false)
  const group = useQuery(query(groups.read, { params: { id: groupId } })).data
  const { page = 1, searchQuery = '' } = search
  const found = useQuery(query(groups.members, { params: { id: groupId }, query: { page, searchQuery } }))
  const manages = useCan()('manageGroups', group)
  const add = (
    <Button icon={UserPlus} onClick={() => setAdding(true)}>
      {t(manages ? 'addToGroup' : 'addPersonToGroup')}
    </Button>
  )
  const Adding = manages ? AddPeopleDialog : AddByEmailDialog
  return (
    <AdministrationPage
      heading={group?.name}
      subtitle={group && <Summary group={group} />}
      trail={
        <Link to="/groups" search={{ organizationId: group?.organizationId }}>
          {t('groups')}
        </Link>
      }
      action={
        group &&
        manages && (
          <EditLink to="/groups/$groupId/edit" params={{ groupId }} search={true} state={openedFromPage} icon={Pencil}>
            {t('editGroup')}
          </EditLink>
        )
      }
    >
      <SearchedList
        list={group?.name ?? t('group')}
        found={found}
        searchLabel={t('searchUsers')}
        searchQuery={searchQuery}
        onSearch={(next) =>
          void navigate({
            search: (now) => ({ ...now, searchQuery: next || undefined, page: undefined }),
            replace: true,
          })
        }
        tools={group && add}
        emptyIcon={UsersRound}
        emptyText={t('groupEmpty')}
        notFoundText={t('noUsersFound', { searchQuery })}
        columns={['text', 'text', 'badge']}
        page={page}
        onPage={(next, options) =>
          void navigate({ search: (now) => ({ ...now, page: next > 1 ? next : undefined }), ...options })
        }
      >
        {(rows, busy) => group && <PeopleTable group={group} rows={rows} busy={busy} />}
      </SearchedList>
      {group && manages && (
        <Suspense fallback={null}>
          <GroupAdmins groupId={groupId} organizationId={group.organizationId} />
        </Suspense>
      )}
      {adding && group && <Adding group={group} onClose={() => setAdding(false)} />}
      <Outlet />
    </AdministrationPage>
  )
}

function Summary({ group }: { group: Group }) {
  const { t } = useTranslation()
  const nameOf = useServiceNames(group.organizationId)
  const { services, ruleAttribute, ruleValue, waiting } = group
  return [
    services.length > 0 ? t('groupGives', { names: services.map(nameOf).join(', ') }) : t('groupGivesNothing'),
    ruleAttribute && t('groupRuleIs', { attribute: ruleAttribute, value: ruleValue }),
    waiting > 0 && t('groupWaiting', { count: waiting }),
  ]
    .filter(Boolean)
    .join(' · ')
}

interface PeopleTableProps {
  group: Group
  rows: readonly GroupMember[]
  busy: boolean
}

function PeopleTable({ group, rows, busy }: PeopleTableProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const manages = useCan()('manageGroups', group)
  const day = (date: string) => dayText(date, language, 'full')
  const columns: Column<GroupMember>[] = [
    {
      key: 'name',
      header: t('name'),
      rowHeader: true,
      cell: ({ firstName, lastName, email }) => {
        const name = [firstName, lastName].filter(Boolean).join(' ')
        return (
          <span className={styles.name}>
            {name || email}
            {name && <span className={styles.quiet}>{email}</span>}
          </span>
        )
      },
    },
    {
      key: 'source',
      header: t('groupSource'),
      cell: ({ sources, pending, validFrom, validUntil }) => (
        <span className={styles.name}>
          {pending ? t('pending') : sources.map((source) => t(sourceTexts[source])).join(', ')}
          {validFrom && <span className={styles.quiet}>{t('beginsOn', { day: day(validFrom) })}</span>}
          {validUntil && <span className={styles.quiet}>{t('endsOn', { day: day(validUntil) })}</span>}
        </span>
      ),
    },
    {
      key: 'state',
      header: t('userStatus'),
      unlabelled: true,
      cell: ({ waitsFor }) =>
        waitsFor.length > 0 && <Badge tone="warn">{t('waitsForSeat', { names: waitsFor.join(', ') })}</Badge>,
    },
    {
      key: 'action',
      header: t('takeOutOfGroup'),
      hideHeader: true,
      align: 'end',
      // The group's rule and the directory are not the business of its admins.
      cell: (person) =>
        (manages || person.pending || person.sources.includes('hand')) && <TakeOut group={group} person={person} />,
    },
  ]
  return <Table caption={group.name} columns={columns} rows={rows} rowKey={({ accountId }) => accountId} busy={busy} />
}
