import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type User, users } from '#contract/users/users.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { type LastAdminQuery, useLastAdmin } from '../actions/last-admin.tsx'
import { readUser, type UserInContext } from '../read-user.ts'
import { useAbilities } from '../use-abilities.ts'
import { nameOf } from '../user-name.ts'
import { addedServices, type Belongings, organizationsIn, servicesIn, servicesOf } from './belongings.ts'
import { useSeats } from './use-seats.ts'
import { useUnproven } from './use-unproven.ts'
import { draftOf, editSchema, inPortalOf, personDraft, type UserValues, userLabels } from './user-draft.ts'
import { atTheirFields } from './user-problems.ts'

const detailsOf = ({ firstName, lastName, ssn, phoneNumber }: UserValues) => ({
  // Invited users may have no name.
  firstName: firstName || undefined,
  lastName: lastName || undefined,
  ssn,
  phoneNumber,
})

/** Role and days in an organisation; undefined where it is removed. */
function termsIn(values: Belongings, organizationId: string) {
  const { organizationId: _, ...terms } =
    organizationsIn(values).find((one) => one.organizationId === organizationId) ?? {}
  return terms
}

const details = ['firstName', 'lastName', 'ssn', 'phoneNumber'] as const

/**
 * The dialog of a user. Super users save everything in one request; admins save the details, and then each organisation
 * that they changed.
 */
export function useUserDialog(user: User, context: UserInContext, onClose: CloseDialog) {
  const client = useQueryClient()
  const { manage } = useAbilities(user)
  const update = useSave(users.update, { inline: true })
  const setServices = useSave(users.setServices, { inline: true })
  const withSeats = useSeats()
  const lastAdmin = useLastAdmin()
  const unproven = useUnproven()
  const { accountId } = user
  const reload = () => client.fetchQuery(readUser(context))

  const saveAll = (values: UserValues, { version, organizations, superUser: before, portalRole: roleBefore }: User) => {
    const { preferredLanguage, loginMethod, samlConfigId, superUser, maxPassiveDays } = values
    const inPortal = inPortalOf(values)
    const managed = { preferredLanguage, loginMethod, samlConfigId, superUser, ...inPortal, maxPassiveDays }
    const present = new Set(organizations.map((one) => one.organizationId))
    const isPresent = (one: { organizationId: string }) => present.has(one.organizationId)
    const all = { organizations: organizationsIn(values), services: servicesIn(values) }
    const send = (lists: typeof all, more: object = {}) =>
      update
        .mutateAsync({ input: { accountId, version, ...detailsOf(values), ...managed, ...lists, ...more } })
        .catch((error: unknown) => {
          throw atTheirFields(error, lists)
        })
    const added = all.organizations.filter((one) => !isPresent(one)).map((one) => one.organizationId)
    return unproven.save({
      person: { name: nameOf(user), email: user.email, openedFor: user.openedFor },
      // No invitation makes a super user, or gives a role in the portal.
      added: (superUser && !before) || (inPortal.portalRole && !roleBefore) ? [] : added,
      send: (more) => send(all, more),
      withoutAdded: () =>
        send({ organizations: all.organizations.filter(isPresent), services: all.services.filter(isPresent) }),
    })
  }

  const savePart = async (values: UserValues, base: User) => {
    const before = draftOf(base)
    const after = personDraft(values)
    let version = base.version
    try {
      if (user.editable && details.some((name) => after[name] !== before[name])) {
        await update.mutateAsync({ input: { accountId, version, ...detailsOf(values) } })
        version++
      }
      for (const { organizationId, name } of base.organizations) {
        const services = servicesOf(values, organizationId)
        const terms = termsIn(values, organizationId)
        const same = JSON.stringify(services) === JSON.stringify(servicesOf(before, organizationId))
        const sameTerms = JSON.stringify(terms) === JSON.stringify(termsIn(before, organizationId))
        if (same && sameTerms) continue
        const own = services.map(({ organizationId: _, ...service }) => service)
        const input = { version, services: own, ...(!sameTerms && terms) }
        const send = (query: LastAdminQuery) =>
          setServices
            .mutateAsync({ params: { userId: accountId, organizationId }, query, input })
            .catch((error: unknown) => {
              throw atTheirFields(error, { services, place: { organizationId } })
            })
        if (!(await lastAdmin.sure(name, send))) {
          if (version > base.version) dialog.form.rebase(await reload())
          return false
        }
        version++
      }
    } catch (error) {
      // Part of the draft is saved: continue with the new version.
      if (version > base.version) dialog.form.rebase(await reload())
      throw atTheirFields(error, {})
    }
    return true
  }

  const dialog = useEntityDialog({
    labels: userLabels,
    schema: useMemo(() => editSchema(user), [user]),
    entity: user,
    draftOf,
    nameOf: () => nameOf(user),
    reload,
    onClose,
    save: async (values, base) => {
      try {
        return await (manage ? saveAll : savePart)(values, base)
      } catch (error) {
        throw await withSeats(error, addedServices(values, base))
      }
    },
  })
  return { dialog, question: lastAdmin.dialog, unproven: unproven.question }
}
