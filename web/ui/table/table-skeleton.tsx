import { Skeleton, SkeletonGroup } from '../skeleton.tsx'
import styles from './table-skeleton.module.css'

/** A short text, one twice as wide, a badge. */
export type ColumnShape = 'text' | 'long' | 'badge'

interface TableSkeletonProps {
  label: string
  columns: readonly ColumnShape[]
  rows?: number | undefined
}

/** Stands where a table will stand: a header row, and in each row a line of every column's shape. */
export function TableSkeleton({ label, columns, rows = 10 }: TableSkeletonProps) {
  return (
    <SkeletonGroup label={label}>
      <div className={styles.table}>
        {Array.from({ length: rows + 1 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place
          <div key={row} className={row === 0 ? styles.head : styles.row}>
            {columns.map((shape, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <span key={column} className={styles.cell} data-shape={row === 0 && shape === 'badge' ? 'text' : shape}>
                <Skeleton />
              </span>
            ))}
          </div>
        ))}
      </div>
    </SkeletonGroup>
  )
}
