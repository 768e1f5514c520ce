import ArrowDownUp from 'lucide-react/icons/arrow-down-up'
import { useId } from 'react'
import { Select } from '../fields/select.tsx'
import { Icon } from '../icon.tsx'
import styles from './table.module.css'

export interface Sort {
  key: string
  direction: 'asc' | 'desc'
}

/** What the select says; the last two name a column and its direction: "Name: ascending". */
export interface SortLabels {
  label: string
  ascending: (column: string) => string
  descending: (column: string) => string
}

interface TableSortProps {
  columns: readonly { key: string; header: string; sortable?: boolean | undefined }[]
  sort: Sort | undefined
  onSort: (key: string, direction: Sort['direction']) => void
  labels: SortLabels
}

/** Sorting on small screens, where a table is cards without a header row. */
export function TableSort({ columns, sort, onSort, labels }: TableSortProps) {
  const id = useId()
  const choose = (value: string) => {
    const [key = '', direction] = value.split(' ')
    onSort(key, direction === 'desc' ? 'desc' : 'asc')
  }
  return (
    <div className={styles.sortSelect} data-sort="">
      <label htmlFor={id}>
        <span className={styles.sortLabel}>{labels.label}</span>
        <Icon of={ArrowDownUp} />
      </label>
      <Select id={id} value={sort && `${sort.key} ${sort.direction}`} onChange={(event) => choose(event.target.value)}>
        {columns
          .filter(({ sortable }) => sortable)
          .map(({ key, header }) => (
            <optgroup key={key} label={header}>
              <option value={`${key} asc`}>{labels.ascending(header)}</option>
              <option value={`${key} desc`}>{labels.descending(header)}</option>
            </optgroup>
          ))}
      </Select>
    </div>
  )
}
