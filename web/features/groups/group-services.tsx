import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import type { groupForm } from '#contract/groups/groups.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { type OfferedRole, serviceRoles } from '#contract/service-roles/service-roles.ts'
import { useRoleTexts } from '#web/features/service-roles/service-roles.tsx'
import { query } from '#web/lib/requests/query.ts'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { FieldGroup } from '#web/ui/fields/field-group.tsx'
import { TextInput } from '#web/ui/fields/text-input.tsx'
import styles from './groups.module.css'

type Given = NonNullable<z.input<typeof groupForm>['services']>[number]

interface GroupServicesProps {
  organizationId: string
  given: readonly Given[]
  onChange: (given: Given[]) => void
  /** The error of a last day. */
  errorOf: (index: number) => string | undefined
}

/** Which of the organisation's services a group gives, with which roles, and from when until when. */
export function GroupServices({ organizationId, given, onChange, errorOf }: GroupServicesProps) {
  const { t } = useTranslation()
  const services = useQuery(query(organizations.services, { params: { id: organizationId } })).data ?? []
  const roles = useQuery(query(serviceRoles.ofOrganization, { params: { organizationId } })).data ?? []
  const change = (serviceId: string, to: Partial<Given>) =>
    onChange(given.map((one) => (one.serviceId === serviceId ? { ...one, ...to } : one)))
  return (
    <FieldGroup legend={t('groupServices')} hint={t('groupServicesHint')}>
      {services.length === 0 && <p className={styles.quiet}>{t('noServicesHere')}</p>}
      {services.map(({ serviceId, name }) => {
        const one = given.find((service) => service.serviceId === serviceId)
        return (
          <div key={serviceId}>
            <Checkbox
              label={name}
              checked={one !== undefined}
              onChange={({ target: { checked } }) =>
                onChange(
                  checked
                    ? [...given, { serviceId, roleIds: [], validFrom: null, validUntil: null }]
                    : given.filter((service) => service.serviceId !== serviceId),
                )
              }
            />
            {one && (
              <Terms
                name={name}
                given={one}
                roles={roles.filter((role) => role.serviceId === serviceId)}
                error={errorOf(given.indexOf(one))}
                onChange={(to) => change(serviceId, to)}
              />
            )}
          </div>
        )
      })}
    </FieldGroup>
  )
}

interface TermsProps {
  name: string
  given: Given
  roles: readonly OfferedRole[]
  error: string | undefined
  onChange: (to: Partial<Given>) => void
}

/** Roles and days of a service; the days are folded away where there are none. */
function Terms({ name, given, roles, error, onChange }: TermsProps) {
  const { t } = useTranslation()
  const textsOf = useRoleTexts()
  const [open, setOpen] = useState(Boolean(given.validFrom || given.validUntil))
  const { roleIds = [] } = given
  return (
    <div className={styles.below}>
      {roles.map((role) => (
        <Checkbox
          key={role.roleId}
          label={textsOf(role).name}
          hint={textsOf(role).description ?? undefined}
          checked={roleIds.includes(role.roleId)}
          onChange={({ target: { checked } }) =>
            onChange({
              roleIds: checked ? [...roleIds, role.roleId] : roleIds.filter((roleId) => roleId !== role.roleId),
            })
          }
        />
      ))}
      <details open={open || error !== undefined} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('periodOf', { name })}</summary>
        <div className={styles.days}>
          <Field label={t('firstDay')}>
            <TextInput
              type="date"
              value={given.validFrom ?? ''}
              onChange={(event) => onChange({ validFrom: event.target.value || null })}
            />
          </Field>
          <Field label={t('lastDay')} error={error}>
            <TextInput
              type="date"
              value={given.validUntil ?? ''}
              onChange={(event) => onChange({ validUntil: event.target.value || null })}
            />
          </Field>
        </div>
      </details>
    </div>
  )
}
