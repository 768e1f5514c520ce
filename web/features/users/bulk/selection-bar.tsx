import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useGroups } from '#web/features/groups/groups.tsx'
import { useHasServiceRoles } from '#web/features/service-roles/service-roles.tsx'
import { useCan } from '#web/lib/session/can.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#web/ui/menu/menu.tsx'
import styles from './bulk.module.css'
import { type BulkActionName, bulkActions } from './bulk-actions.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  selection: Selection
  /** The organisation in which the actions count; undefined for people of any. */
  organizationId: string | undefined
}

/** How many are selected and what can be done with them; it stays in sight while the list is scrolled. */
export function SelectionBar({ selection, organizationId }: SelectionBarProps) {
  const { t } = useTranslation()
  const [action, setAction] = useState<BulkActionName>()
  const hasRoles = useHasServiceRoles(organizationId)
  const hasGroups = useGroups(organizationId).length > 0
  const can = useCan()
  const count = selection.people.length
  if (count === 0) return null
  const all = Object.keys(bulkActions) as BulkActionName[]
  // An organisation without groups, or roles of services, sees nothing of them.
  const names = all
    .filter((name) => can(bulkActions[name].permission, organizationId ? { organizationId } : undefined))
    .filter((name) => hasRoles || !('needsRole' in bulkActions[name]))
    .filter((name) => hasGroups || !('needsGroup' in bulkActions[name]))
  const possible = names.filter((name) => organizationId || !('ofOrganization' in bulkActions[name]))
  return (
    <section className={styles.bar} aria-label={t('selection')}>
      <p role="status" className={styles.count}>
        {t('selectedCount', { count })}
      </p>
      <Menu label={t('selectionActions')} look="primary" side="top">
        {possible.map((name) => {
          const { label, icon } = bulkActions[name]
          const tone = 'danger' in bulkActions[name] ? 'danger' : undefined
          return (
            <MenuItem key={name} icon={icon} tone={tone} onClick={() => setAction(name)}>
              {t(label)}
            </MenuItem>
          )
        })}
        {possible.length < names.length && (
          <MenuItem disabled onClick={() => undefined}>
            {t('selectionNeedsOrganization')}
          </MenuItem>
        )}
      </Menu>
      <IconButton icon={X} label={t('clearSelection')} onClick={selection.clear} />
      {action && (
        <BulkDialog
          action={action}
          people={selection.people}
          organizationId={organizationId}
          onSettled={(settled) => selection.toggle(settled, false)}
          onClose={() => setAction(undefined)}
        />
      )}
    </section>
  )
}
