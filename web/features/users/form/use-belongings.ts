import type { OrganizationRole, ServiceRole } from '#contract/roles.ts'
import type { UserSchemaForm } from './person-fields.tsx'

/** Changes roles in the draft. Removing an entry that was never saved deletes it, so that it is no unsaved change. */
export function useBelongings({ form }: UserSchemaForm) {
  const set = (group: 'roles' | 'services', key: string, role: string) => {
    const before = form.formState.defaultValues?.[group] ?? {}
    const { [key]: _, ...others } = form.getValues(group)
    const kept = role === '' && !before[key] ? others : { ...form.getValues(group), [key]: role }
    form.setValue(group, kept as never, { shouldDirty: true })
    form.clearErrors(`${group}.${key}`)
  }
  const setDay = (key: string, day: string) => {
    const before = form.formState.defaultValues?.days ?? {}
    const { [key]: _, ...others } = form.getValues('days')
    form.setValue('days', day === '' && !before[key] ? others : { ...others, [key]: day }, { shouldDirty: true })
    form.clearErrors(`days.${key}`)
  }
  return {
    setDay,
    setRole: (organizationId: string, role: OrganizationRole | '') => set('roles', organizationId, role),
    setServiceRole: (key: string, role: ServiceRole | '') => set('services', key, role),
  }
}
