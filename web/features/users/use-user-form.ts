import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type User, users } from '#contract/users.ts'
import { useCan } from '#web/lib/can.tsx'
import { useEntityForm } from '#web/lib/entity-form.ts'
import { useSave } from '#web/lib/use-save.ts'
import { addedServices, organizationsIn, servicesIn, servicesOf } from './belongings.ts'
import { readUser, type UserInContext } from './read-user.ts'
import { useSeats } from './use-seats.ts'
import { draftOf, editSchema, type UserDraft, type UserValues } from './user-draft.ts'
import { atTheirFields } from './user-problems.ts'

const detailsOf = ({ firstName, lastName, ssn, phoneNumber }: UserValues) => ({
  // Whoever was invited may be without a name for now.
  firstName: firstName || undefined,
  lastName: lastName || undefined,
  ssn,
  phoneNumber,
})

const details = ['firstName', 'lastName', 'ssn', 'phoneNumber'] as const

/** The form of a person. Super users save it as one change, admins what is theirs: details, and each organisation. */
export function useUserForm(user: User, context: UserInContext, onSaved: () => void) {
  const client = useQueryClient()
  const can = useCan()
  const update = useSave(users.update, { inline: true })
  const setServices = useSave(users.setServices, { inline: true })
  const withSeats = useSeats()
  const { accountId } = user
  const reload = () => client.fetchQuery(readUser(context))

  const saveAll = async (values: UserValues, { version }: User) => {
    const { preferredLanguage, loginMethod, samlConfigId, superUser, maxPassiveDays } = values
    const managed = { preferredLanguage, loginMethod, samlConfigId, superUser, maxPassiveDays }
    const lists = { organizations: organizationsIn(values), services: servicesIn(values) }
    const input = { accountId, version, ...detailsOf(values), ...managed, ...lists }
    await update.mutateAsync({ input }).catch((error: unknown) => {
      throw atTheirFields(error, lists)
    })
  }

  const savePart = async (values: UserValues, base: User) => {
    const before = draftOf(base)
    let version = base.version
    try {
      if (user.editable && details.some((name) => (values[name] ?? '') !== before[name])) {
        await update.mutateAsync({ input: { accountId, version, ...detailsOf(values) } })
        version++
      }
      for (const { organizationId, userRole: role } of base.organizations) {
        const userRole = values.roles[organizationId] || role
        const services = servicesOf(values, organizationId)
        const same = JSON.stringify(services) === JSON.stringify(servicesOf(before, organizationId))
        if (same && userRole === role) continue
        const own = services.map(({ serviceId, userRole: own }) => ({ serviceId, userRole: own }))
        const input = { version, services: own, ...(userRole !== role && { userRole }) }
        await setServices
          .mutateAsync({ params: { userId: accountId, organizationId }, input })
          .catch((error: unknown) => {
            throw atTheirFields(error, { services })
          })
        version++
      }
    } catch (error) {
      // What is saved is saved; the rest of the draft goes on from there.
      if (version > base.version) form.rebase(await reload())
      throw atTheirFields(error, {})
    }
  }

  const form = useEntityForm<UserDraft, UserValues, User>({
    schema: useMemo(() => editSchema(user), [user]),
    entity: user,
    draftOf,
    reload,
    save: async (values, base) => {
      try {
        await (can('manageUsers') ? saveAll : savePart)(values, base)
      } catch (error) {
        throw await withSeats(error, addedServices(values, base))
      }
      onSaved()
    },
  })
  return form
}
