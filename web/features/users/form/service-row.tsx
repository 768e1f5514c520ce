import Trash2 from 'lucide-react/icons/trash'
import { useTranslation } from 'react-i18next'
import type { ServiceRole } from '#contract/roles.ts'
import { useCan } from '#web/lib/session/can.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import styles from '../user-dialog.module.css'
import { keyOf } from './belongings.ts'
import type { UserSchemaForm } from './person-fields.tsx'
import { useBelongings } from './use-belongings.ts'

interface ServiceRowProps {
  form: UserSchemaForm
  service: { organizationId: string; serviceId: string; userRole: ServiceRole }
  name: string
  organization: string
  /** A group gives it: it is taken back there. */
  byGroup: boolean
  onRemoved: () => void
}

/** A service of the user, with the role in it. */
export function ServiceRow({ form, service, name, organization, byGroup, onRemoved }: ServiceRowProps) {
  const { t } = useTranslation()
  const can = useCan()
  const { setServiceRole } = useBelongings(form)
  const key = keyOf(service)
  const appoints = can('appointServiceAdmins', service)
  const isAdmin = service.userRole === 'serviceAdmin'
  const remove = () => {
    setServiceRole(key, '')
    onRemoved()
  }
  return (
    <li className={styles.row}>
      <span>
        {name}
        {byGroup && <span className={styles.role}> {t('comesByGroupBelow')}</span>}
      </span>
      {appoints ? (
        <Field {...form.field(`services.${key}`, t('roleInService', { name, organization }))} hideLabel>
          <Select value={service.userRole} onChange={(event) => setServiceRole(key, event.target.value as ServiceRole)}>
            <option value="regular">{t('roleRegular')}</option>
            <option value="serviceAdmin">{t('roleServiceAdmin')}</option>
          </Select>
        </Field>
      ) : (
        <span className={styles.role}>{t(isAdmin ? 'roleServiceAdmin' : 'roleRegular')}</span>
      )}
      {!byGroup && (appoints || (!isAdmin && can('handOutService', service))) && (
        <IconButton icon={Trash2} label={t('takeServiceAway', { name, organization })} onClick={remove} />
      )}
    </li>
  )
}
