import { useTranslation } from 'react-i18next'
import type { RoleChange } from '#contract/service-roles/role-files.ts'
import { serviceRoleLabels } from '#contract/service-roles/service-roles.ts'
import { type Column, Table } from '#web/ui/table/table.tsx'
import styles from './service-roles.module.css'

/** What an import of roles would do. */
export function RoleChanges({ changes, unchanged }: { changes: readonly RoleChange[]; unchanged: number }) {
  const { t } = useTranslation()
  const labelOf = (field: string) => t(serviceRoleLabels[field as keyof typeof serviceRoleLabels])
  const outcomeOf = ({ outcome, fields, people }: RoleChange) => {
    if (outcome === 'added') return t('rolesImportAdded')
    if (outcome === 'changed') return t('rolesImportChanged', { fields: fields.map(labelOf).join(', ') })
    return people === 0 ? t('rolesImportRemovedUnheld') : t('rolesImportRemoved', { count: people })
  }
  const columns: Column<RoleChange>[] = [
    { key: 'name', header: t('name'), rowHeader: true, cell: ({ nameSv }) => nameSv },
    { key: 'key', header: t(serviceRoleLabels.key), cell: ({ key }) => <code>{key}</code> },
    { key: 'outcome', header: t('rolesImportChanges'), cell: outcomeOf },
  ]
  return (
    <div role="status" className={styles.list}>
      {changes.length > 0 && (
        <Table caption={t('rolesImportChanges')} columns={columns} rows={changes} rowKey={({ key }) => key} />
      )}
      <p className={styles.quiet}>
        {changes.length > 0
          ? unchanged > 0 && t('rolesImportUnchanged', { count: unchanged })
          : t('rolesImportNothing')}
      </p>
    </div>
  )
}
