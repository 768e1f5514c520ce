import { useState } from 'react'
import { organizationLabels, organizations } from '#contract/organizations/organizations.ts'
import type { CloseDialog } from '#web/lib/dialogs/dialog-route.ts'
import { useEntityDialog } from '#web/lib/dialogs/entity-dialog.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { type Choosable, draftOf, formOf, type OrganizationValues, organizationDraft } from './organization-draft.ts'
import { atTheirFields, removedInUse, seatsInUse } from './service-problems.ts'
import { useReload } from './use-choosable.ts'
import { type LockedOutChoice, useLockedOut } from './use-locked-out.ts'

/** Services with users that the draft removes; the save waits for the answer. */
export interface RemovalQuestion {
  names: readonly string[]
  answer: (yes: boolean) => void
}

/** The dialog of an existing organisation. It asks for confirmation before users lose a service. */
export function useOrganizationDialog(organization: Choosable, onClose: CloseDialog) {
  const update = useSave(organizations.update, { inline: true })
  const reload = useReload(organization)
  const [question, setQuestion] = useState<RemovalQuestion>()

  const confirmRemoval = (names: readonly string[]) =>
    new Promise<boolean>((resolve) =>
      setQuestion({
        names,
        answer: (yes) => {
          setQuestion(undefined)
          resolve(yes)
        },
      }),
    )

  const lockedOut = useLockedOut()

  const send = async (
    values: OrganizationValues,
    { organizationId, version }: Choosable,
    force: boolean,
    choice: LockedOutChoice | undefined,
  ) => {
    const form = formOf(values)
    const input = { ...form, organizationId, version }
    await update
      .mutateAsync({ input, query: { ...(force && { force: 'true' as const }), ...(choice && { lockedOut: choice }) } })
      .catch((error: unknown) => {
        throw error instanceof ApiProblem ? atTheirFields(error, form.services) : error
      })
  }

  const save = async (values: OrganizationValues, base: Choosable) => {
    const tooFew = seatsInUse(values, organization)
    if (tooFew) throw tooFew
    const removed = removedInUse(values, organization).map(({ name }) => name)
    if (removed.length > 0 && !(await confirmRemoval(removed))) return false
    const choice = await lockedOut.ask(base, values)
    if (choice === 'cancelled') return false
    try {
      await send(values, base, removed.length > 0, choice)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      // The seats in use changed since the dialog was opened: reload before showing an error or asking.
      if (error.message === 'seatsInUse') throw seatsInUse(values, await reload()) ?? error
      if (error.message !== 'serviceInUse') throw error
      const names = removedInUse(values, await reload()).map(({ name }) => name)
      if (!(await confirmRemoval(names))) return false
      await send(values, base, true, choice)
    }
    return true
  }

  const dialog = useEntityDialog({
    schema: organizationDraft,
    labels: organizationLabels,
    entity: organization,
    draftOf,
    nameOf: ({ name }) => name,
    save,
    reload,
    onClose,
  })
  return { dialog, question, lockedOut: lockedOut.question }
}
