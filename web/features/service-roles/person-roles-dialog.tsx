import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OfferedRole, serviceRoles } from '#contract/service-roles/service-roles.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { always, type Days, RoleDays } from './role-days.tsx'
import { useRoleTexts } from './role-texts.ts'
import styles from './service-roles.module.css'

interface PersonRolesDialogProps {
  holder: { userId: string; organizationId: string; serviceId: string }
  title: string
  roles: readonly OfferedRole[]
  held: readonly { roleId: string; validFrom: string | null; validUntil: string | null }[]
  /** The invitation is not accepted: its roles have no days yet. */
  invited: boolean
  onClose: () => void
}

/** Which roles of a service somebody has; saved at once, apart from the form around it. */
export function PersonRolesDialog({ holder, title, roles, held, invited, onClose }: PersonRolesDialogProps) {
  const { t } = useTranslation()
  const textsOf = useRoleTexts()
  const [chosen, setChosen] = useState(() =>
    roles.map(({ roleId }) => roleId).filter((id) => held.some(({ roleId }) => roleId === id)),
  )
  const [days, setDays] = useState<Record<string, Days>>(() =>
    Object.fromEntries(held.map(({ roleId, validFrom, validUntil }) => [roleId, { validFrom, validUntil }])),
  )
  const save = useSave(serviceRoles.setOfPerson, { inline: true })
  const periods = chosen.map((roleId) => ({ roleId, ...(days[roleId] ?? always) }))
  const hintOf = (role: OfferedRole) => {
    const names = roles.filter(({ key }) => role.excludes.includes(key)).map((other) => textsOf(other).name)
    return [
      textsOf(role).description,
      role.needsTwoFactors && t('needsTwoFactors'),
      role.maxPeople !== null && t('rolePeopleOf', { people: role.people, most: role.maxPeople }),
      names.length > 0 && t('roleExcludesNamed', { names: names.join(', ') }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <Dialog
      open
      size="small"
      title={title}
      closeLabel={t('close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            loading={save.isPending}
            onClick={() =>
              save.mutate(
                { params: holder, input: { roleIds: chosen, ...(!invited && { periods }) } },
                { onSuccess: onClose },
              )
            }
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={styles.choices}>
        {save.error && (
          <Alert tone="danger" live="alert">
            {problemText(save.error)}
          </Alert>
        )}
        {roles.map((role) => (
          <div key={role.roleId} className={styles.choices}>
            <Checkbox
              label={textsOf(role).name}
              hint={hintOf(role) || undefined}
              checked={chosen.includes(role.roleId)}
              onChange={({ target: { checked } }) =>
                setChosen(checked ? [...chosen, role.roleId] : chosen.filter((one) => one !== role.roleId))
              }
            />
            {!invited && chosen.includes(role.roleId) && (
              <RoleDays
                of={textsOf(role).name}
                days={days[role.roleId] ?? always}
                onChange={(changed) => setDays({ ...days, [role.roleId]: changed })}
              />
            )}
          </div>
        ))}
      </div>
    </Dialog>
  )
}
