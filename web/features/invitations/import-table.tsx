import { useTranslation } from 'react-i18next'
import type { Issue } from '#contract/problem.ts'
import { fieldProblemText } from '#web/lib/texts/i18n.ts'
import { Badge } from '#web/ui/badge.tsx'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './import.module.css'
import { outcomeTone, useOutcomeName } from './outcomes.ts'
import type { ImportResultRow } from './use-import.ts'

export function ImportTable({ rows, done }: { rows: readonly ImportResultRow[]; done: boolean }) {
  const { t } = useTranslation()
  const roleName = useRoleName()
  const columns: Column<ImportResultRow>[] = [
    {
      key: 'email',
      header: t('email'),
      rowHeader: true,
      cell: ({ person }) => <Words>{person.row.email || t('emptyValue')}</Words>,
    },
    {
      key: 'name',
      header: t('name'),
      cell: ({ person: { row } }) => <Words>{[row.firstName, row.lastName].filter(Boolean).join(' ')}</Words>,
    },
    { key: 'services', header: t('services'), cell: ({ person }) => <Words>{person.row.services?.join(', ')}</Words> },
    // Only a list with such a column shows it.
    ...(rows.some(({ person }) => person.row.groups?.length)
      ? [
          {
            key: 'groups',
            header: t('groups'),
            cell: ({ person }: ImportResultRow) => <Words>{person.row.groups?.join(', ')}</Words>,
          },
        ]
      : []),
    { key: 'userRole', header: t('role'), cell: ({ person }) => roleName(person.row.userRole ?? '') },
    ...(['validFrom', 'validUntil'] as const)
      .filter((day) => rows.some(({ person }) => person.row[day]))
      .map((day) => ({
        key: day,
        header: t(day === 'validFrom' ? 'firstDay' : 'lastDay'),
        cell: ({ person }: ImportResultRow) => <Words>{person.row[day] ?? ''}</Words>,
      })),
    { key: 'outcome', header: t('importOutcome'), cell: (row) => <Outcome row={row} done={done} /> },
    { key: 'line', header: t('importLine'), cell: ({ person }) => person.line },
  ]
  return <Table caption={t(done ? 'importResult' : 'importPreview')} columns={columns} rows={rows} rowKey={keyOf} />
}

const keyOf = ({ person }: ImportResultRow) => person.start

/** Breaks long words. Renders nothing for an empty value, so that a card has no empty line. */
const Words = ({ children }: { children: string | undefined }) =>
  children ? <span className={styles.words}>{children}</span> : null

function Outcome({ row: { person, outcome, issues }, done }: { row: ImportResultRow; done: boolean }) {
  const { t } = useTranslation()
  const nameOf = useOutcomeName(done)
  const labelOf = useFieldName()
  const problems = issues.map(({ path, message }) => fieldProblemText(labelOf(person, path), message))
  return (
    <span className={styles.outcome}>
      <Badge tone={outcomeTone[outcome]}>{nameOf(outcome)}</Badge>
      {[
        ...(person.overlong ? [t('importTooManyCells')] : problems),
        ...(person.unused.length > 0 ? [t('importNotUsed', { values: person.unused.join(', ') })] : []),
      ].map((problem) => (
        <span key={problem} className={styles.issue}>
          {problem}
        </span>
      ))}
    </span>
  )
}

/** The label of an issue: a column, or the service as it was typed. */
function useFieldName() {
  const { t } = useTranslation()
  const names: Record<string, string> = {
    email: t('email'),
    firstName: t('firstName'),
    lastName: t('lastName'),
    userRole: t('role'),
    validFrom: t('firstDay'),
    validUntil: t('lastDay'),
  }
  return ({ row }: ImportResultRow['person'], path: Issue['path']) => {
    const [, list, place = ''] = /^(services|groups)\.(\d+)$/.exec(path) ?? []
    return (list && row[list as 'services' | 'groups']?.[Number(place)]) || names[path] || t('services')
  }
}

function useRoleName() {
  const { t } = useTranslation()
  const names: Record<string, string> = {
    '': t('roleRegular'),
    regular: t('roleRegular'),
    organizationAdmin: t('roleOrganizationAdmin'),
  }
  return (role: string) => names[role] ?? <Words>{role}</Words>
}
