import { useState } from 'react'

const key = 'hiddenUserColumns'
/** The columns that a reader may leave out; the names always stay. */
export const optionalColumns = [
  'email',
  'belongings',
  'groups',
  'moreRoles',
  'status',
  'lastActive',
  'loginMethod',
] as const
export type OptionalColumn = (typeof optionalColumns)[number]

export interface Columns {
  /** What the list shows of organisations or services. */
  belongings: 'organizations' | 'services' | undefined
  /** Only an organisation that uses groups has the column. */
  hasGroups: boolean
  /** Only an organisation in which somebody has a role beside the admin role. */
  hasRoles: boolean
  shown: (column: OptionalColumn) => boolean
  toggle: (column: OptionalColumn) => void
  /** Keys of the table's columns. */
  hidden: ReadonlySet<string>
}

/** The chosen columns, remembered in this browser. */
export function useColumns(
  belongings: Columns['belongings'],
  { hasGroups, hasRoles }: Pick<Columns, 'hasGroups' | 'hasRoles'>,
): Columns {
  const [left, setLeft] = useState(stored)
  const toggle = (column: OptionalColumn) => {
    const next = left.includes(column) ? left.filter((one) => one !== column) : [...left, column]
    setLeft(next)
    store(next)
  }
  return {
    belongings,
    hasGroups,
    hasRoles,
    shown: (column) => !left.includes(column),
    toggle,
    hidden: new Set([
      ...left.map((column) => (column === 'belongings' ? (belongings ?? column) : column)),
      ...(hasGroups ? [] : ['groups']),
      ...(hasRoles ? [] : ['moreRoles']),
    ]),
  }
}

const usual: readonly OptionalColumn[] = ['loginMethod']

function stored(): readonly OptionalColumn[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return Array.isArray(names) ? optionalColumns.filter((column) => names.includes(column)) : usual
  } catch {
    // Storage is blocked, or holds something else.
    return usual
  }
}

function store(columns: readonly OptionalColumn[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(columns))
  } catch {
    // The choice lasts as long as the page.
  }
}
