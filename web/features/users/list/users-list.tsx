import type { UseQueryResult } from '@tanstack/react-query'
import ListFilter from 'lucide-react/icons/list-filter'
import Users from 'lucide-react/icons/users'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#contract/route.ts'
import type { users } from '#contract/users/users.ts'
import { useGroups } from '#web/features/groups/groups.tsx'
import { useRoles } from '#web/features/organization-roles/organization-roles.tsx'
import { SearchedList } from '#web/lib/lists/searched-list.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { Button } from '#web/ui/button.tsx'
import { bulkActions } from '../bulk/bulk-actions.ts'
import { SelectionBar } from '../bulk/selection-bar.tsx'
import { useSelection } from '../bulk/use-selection.ts'
import { FilterChips } from '../filters/filter-chips.tsx'
import { FilterFields } from '../filters/filter-fields.tsx'
import styles from '../users.module.css'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportLink } from './export-link.tsx'
import { useColumns } from './use-columns.ts'
import { UsersTable, type UsersTableProps } from './users-table.tsx'

interface UsersListProps extends Omit<UsersTableProps, 'rows' | 'busy' | 'hidden' | 'selection' | 'organizationId'> {
  /** Whose list can be filtered; without it there are no filters. */
  filterable?: 'everybody' | { organizationId: string } | undefined
  found: UseQueryResult<AnswerOf<typeof users.list>, Error>
  searchLabel: string
  /** The text for an empty list when there is no search. */
  textIfEmpty: string
  /** Shown beside the search field. */
  tools?: ReactNode
}

/** A searchable list of users, with filters and a choice of columns. */
export function UsersList({ found, searchLabel, textIfEmpty, tools, filterable, ...table }: UsersListProps) {
  const { t } = useTranslation()
  const { caption, view, belongings } = table
  const { page, searchQuery } = view.query
  const of = filterable === 'everybody' ? undefined : filterable
  const hasGroups = useGroups(of?.organizationId).length > 0
  const givesRoles = useRoles(of?.organizationId).some(({ people }) => people > 0)
  // Of everybody, that nobody has one is not worth a question of its own.
  const hasRoles = givesRoles || filterable === 'everybody'
  const columns = useColumns(belongings, { hasGroups, hasRoles })
  const selection = useSelection()
  const id = useId()
  const [open, setOpen] = useState(false)
  const count = Object.keys(view.filters).length
  const isSmall = useIsSmall(found.data?.totalCount, count > 0 || searchQuery !== '')
  const clear = () => view.change({ ...noFilters, searchQuery: '' })
  const can = useCan()
  // Who only reads has nothing to do with a selection.
  const selects = filterable && changesPeople.some((permission) => can(permission, of))
  return (
    <SearchedList
      list={caption}
      found={found}
      searchLabel={searchLabel}
      searchQuery={searchQuery}
      onSearch={(next) => view.change({ searchQuery: next })}
      tools={
        <>
          {filterable && (
            <Button icon={ListFilter} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
              <span className={styles.filterWord}>{t('filter')}</span>
              {count > 0 && ` (${count})`}
            </Button>
          )}
          {filterable && (
            <div className={styles.tools} data-open={open} data-folded={of && isSmall}>
              <span className={styles.columns}>
                <ColumnsMenu columns={columns} />
              </span>
              <ExportLink of={of} view={view} />
            </div>
          )}
          {tools}
        </>
      }
      filters={
        filterable && (
          <div className={styles.filters} data-open={open}>
            <div id={id} hidden={!open}>
              {open && <FilterFields of={of} filters={view.filters} onChange={view.change} />}
            </div>
            <FilterChips of={of} filters={view.filters} onChange={view.change} onClear={() => view.change(noFilters)} />
          </div>
        )
      }
      onClearFilters={filterable && count > 0 ? clear : undefined}
      emptyIcon={Users}
      emptyText={textIfEmpty}
      notFoundText={
        filterable && count > 0
          ? t(searchQuery ? 'noUsersFoundFiltered' : 'noUsersFiltered', { searchQuery })
          : t('noUsersFound', { searchQuery })
      }
      asked={[searchQuery, ...Object.values(view.filters)].join('\n')}
      columns={['text', 'text', 'long', 'badge', 'badge']}
      page={page}
      href={view.href}
      onPage={view.turnTo}
      footer={
        filterable && (
          <SelectionBar selection={selection} organizationId={of?.organizationId ?? view.filters.organizationId} />
        )
      }
    >
      {(rows, busy) => (
        <UsersTable
          {...table}
          organizationId={of?.organizationId}
          hidden={columns.hidden}
          selection={selects ? selection : undefined}
          rows={rows}
          busy={busy}
        />
      )}
    </SearchedList>
  )
}

const changesPeople = Object.values(bulkActions).map(({ permission }) => permission)

/** Of fewer people, columns and export stand with the filters and not beside the search. */
const many = 30

/** Of the whole list, also while it is searched; true until it is there. */
function useIsSmall(total: number | undefined, asked: boolean): boolean {
  const [small, setSmall] = useState(false)
  if (total !== undefined && !asked && small !== total < many) setSmall(total < many)
  return total === undefined || small
}

const noFilters = {
  status: undefined,
  loginMethod: undefined,
  role: undefined,
  organizationId: undefined,
  serviceId: undefined,
  groupId: undefined,
  lastActiveBefore: undefined,
}
