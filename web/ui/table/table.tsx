import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import styles from './table.module.css'
import { type Sort, type SortLabels, TableSort } from './table-sort.tsx'

export interface Column<Row> {
  key: string
  header: string
  /** In place of the header's text, such as a checkbox for all rows. Hidden on small screens. */
  headerCell?: ReactNode
  /** In the row header, put a real link: a click anywhere in the row follows it. */
  cell: (row: Row) => ReactNode
  sortable?: boolean | undefined
  /** The cell that names the row. One column has it. */
  rowHeader?: boolean | undefined
  align?: 'end' | undefined
  /** Keeps the header for screen readers only, such as over a column of buttons. */
  hideHeader?: boolean | undefined
  /** Stands in the cards of small screens without its header: what it is goes without saying. */
  unlabelled?: boolean | undefined
  /** Nothing but buttons: unlabelled in a card, and left out on paper. */
  buttons?: boolean | undefined
  /** Left out of the cards of small screens, where another cell says it. */
  wideOnly?: boolean | undefined
}

interface TableProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Rows with the same text stand below it as a heading, such as their day. */
  groupOf?: ((row: Row) => string) | undefined
  sort?: Sort | undefined
  /** Without a direction the reader only chose the column: what that means differs from page to page. */
  onSort?: ((key: string, direction?: Sort['direction']) => void) | undefined
  sortLabels?: SortLabels | undefined
  /** The rows on show are from before; they stay, dimmed. */
  busy?: boolean | undefined
}

/** So many columns leave room beside them; more stand closer. */
const many = 6

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, groupOf, sort, onSort, sortLabels, busy } = props
  return (
    <>
      {onSort && sortLabels && <TableSort columns={columns} sort={sort} onSort={onSort} labels={sortLabels} />}
      <div className={styles.scroll}>
        <table
          {...role('table')}
          className={styles.table}
          data-dense={columns.length > many || undefined}
          aria-busy={busy || undefined}
        >
          <caption className="vh">{caption}</caption>
          <thead {...role('rowgroup')} className={styles.head}>
            <tr {...role('row')}>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody {...role('rowgroup')}>
            {rows.map((row, at) => {
              const group = groupOf?.(row)
              const before = rows[at - 1]
              return (
                <Fragment key={rowKey(row)}>
                  {group !== undefined && (before === undefined || groupOf?.(before) !== group) && (
                    <tr {...role('row')} className={styles.group}>
                      <td {...role('cell')} colSpan={columns.length}>
                        {group}
                      </td>
                    </tr>
                  )}
                  <tr {...role('row')} onClick={followRowLink}>
                    {columns.map((column) => (
                      <Cell key={column.key} column={column} row={row} />
                    ))}
                  </tr>
                </Fragment>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}

type HeaderCellProps<Row> = Pick<TableProps<Row>, 'sort' | 'onSort'> & { column: Column<Row> }

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const sorted = sort?.key === column.key ? sort.direction : undefined
  const ariaSort = sorted && ({ asc: 'ascending', desc: 'descending' } as const)[sorted]
  const arrow = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <th
      {...role('columnheader')}
      scope="col"
      aria-sort={ariaSort}
      data-align={column.align}
      data-action={column.hideHeader}
      data-buttons={column.buttons}
    >
      {column.headerCell ? (
        column.headerCell
      ) : column.sortable && onSort ? (
        <button type="button" className={styles.sort} data-sorted={sorted} onClick={() => onSort(column.key)}>
          {column.header}
          <Icon of={arrow} />
        </button>
      ) : (
        <span className={column.hideHeader ? 'vh' : undefined}>{column.header}</span>
      )}
      {column.sortable && onSort && <span className={styles.plain}>{column.header}</span>}
    </th>
  )
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const content = column.cell(row)
  if (column.rowHeader)
    return (
      <th {...role('rowheader')} scope="row" className={styles.rowHeader}>
        {content}
      </th>
    )
  return (
    <td
      {...role('cell')}
      data-align={column.align}
      data-action={column.hideHeader}
      data-buttons={column.buttons}
      data-wide={column.wideOnly}
    >
      {!column.hideHeader && !column.unlabelled && !column.buttons && (
        <span className={styles.label} aria-hidden="true">
          {column.header}
        </span>
      )}
      <span className={styles.content}>{content}</span>
    </td>
  )
}

/** The elements' own roles, repeated: some browsers drop them when a table is laid out as cards. */
function role(role: string) {
  return { role }
}

/** A plain click on the row does what its link does; a new tab, a selection and the row's own controls are left alone. */
function followRowLink(event: MouseEvent<HTMLTableRowElement>) {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  if (!(event.target instanceof Element) || event.target.closest('a, button, input, select, label, [data-action]'))
    return
  if (!event.currentTarget.contains(event.target)) return
  if (window.getSelection()?.toString()) return
  event.currentTarget.querySelector<HTMLAnchorElement>('th a')?.click()
}
