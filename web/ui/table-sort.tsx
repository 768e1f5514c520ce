import { useId } from 'react'
import { Select } from './select.tsx'
import styles from './table.module.css'

export interface Sort {
  key: string
  direction: 'asc' | 'desc'
}

interface TableSortProps {
  columns: readonly { key: string; header: string; sortable?: boolean | undefined }[]
  sort: Sort | undefined
  onSort: (key: string, direction: Sort['direction']) => void
  labels: { label: string; ascending: string; descending: string }
}

/** Sorting on small screens, where a table is cards without a header row. */
export function TableSort({ columns, sort, onSort, labels }: TableSortProps) {
  const id = useId()
  const choose = (value: string) => {
    const [key = '', direction] = value.split(' ')
    onSort(key, direction === 'desc' ? 'desc' : 'asc')
  }
  return (
    <div className={styles.sortSelect}>
      <label htmlFor={id}>{labels.label}</label>
      <Select id={id} value={sort && `${sort.key} ${sort.direction}`} onChange={(event) => choose(event.target.value)}>
        {columns
          .filter(({ sortable }) => sortable)
          .map(({ key, header }) => (
            <optgroup key={key} label={header}>
              <option value={`${key} asc`}>
                {header}: {labels.ascending}
              </option>
              <option value={`${key} desc`}>
                {header}: {labels.descending}
              </option>
            </optgroup>
          ))}
      </Select>
    </div>
  )
}
