import { useWatch } from 'react-hook-form'
import { WhatTheyMade } from '#web/features/organization-roles/organization-roles.tsx'
import { dayKey } from './belongings.ts'
import type { UserSchemaForm } from './person-fields.tsx'

/** What somebody has made, beside a change that takes a role from them or gives it an end. */
export function EndsOfDraft({ form, accountId }: { form: UserSchemaForm; accountId: string }) {
  const { control, formState } = form.form
  const [roles, days, superUser] = useWatch({ control, name: ['roles', 'days', 'superUser'] })
  const stored = formState.defaultValues
  const isDismissed = stored?.superUser === true && !superUser
  if (isDismissed) return <WhatTheyMade accountId={accountId} />
  const getsAnEnd = (organizationId: string) =>
    (['validUntil', 'roleUntil'] as const)
      .map((name) => dayKey(name, { organizationId }))
      .some((key) => days[key] && days[key] !== stored?.days?.[key])
  return Object.entries(stored?.roles ?? {})
    .filter(([organizationId, role]) => roles[organizationId] !== role || getsAnEnd(organizationId))
    .map(([organizationId]) => <WhatTheyMade key={organizationId} {...{ accountId, organizationId }} />)
}
