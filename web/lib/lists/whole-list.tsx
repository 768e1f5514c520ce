import type { UseQueryResult } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Loaded } from '#web/lib/requests/loaded.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { EmptyState } from '#web/ui/state.tsx'

interface WholeListProps<Row> {
  list: UseQueryResult<readonly Row[], Error>
  emptyIcon: LucideIcon
  emptyText: string
  /** The table. */
  children: (rows: readonly Row[], busy: boolean) => ReactNode
}

/** The rows of a list without search and pages, or that there are none. */
export function WholeList<Row>({ list, emptyIcon, emptyText, children }: WholeListProps<Row>) {
  const { t } = useTranslation()
  return (
    <Loaded
      query={list}
      skeleton={
        <SkeletonGroup label={t('loading')}>
          <Skeleton shape="row" count={3} />
        </SkeletonGroup>
      }
    >
      {(rows) =>
        rows.length > 0 ? children(rows, list.isFetching) : <EmptyState icon={emptyIcon}>{emptyText}</EmptyState>
      }
    </Loaded>
  )
}
