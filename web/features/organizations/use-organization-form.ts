import { useState } from 'react'
import { organizations } from '#contract/organizations.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useEntityForm } from '#web/lib/entity-form.ts'
import { useSave } from '#web/lib/use-save.ts'
import {
  type Choosable,
  draftOf,
  formOf,
  type OrganizationDraft,
  type OrganizationValues,
  organizationDraft,
} from './organization-draft.ts'
import { atTheirFields, removedInUse, seatsInUse } from './service-problems.ts'
import { useReload } from './use-choosable.ts'

/** Services that people have and that are about to go; the save waits for the answer. */
export interface RemovalQuestion {
  names: readonly string[]
  answer: (yes: boolean) => void
}

/** The form of an organisation that exists, and what it asks before people lose a service. */
export function useOrganizationForm(organization: Choosable, onSaved: (name: string) => void) {
  const update = useSave(organizations.update, { inline: true })
  const reload = useReload(organization)
  const [question, setQuestion] = useState<RemovalQuestion>()

  const mayRemove = (names: readonly string[]) =>
    new Promise<boolean>((resolve) =>
      setQuestion({
        names,
        answer: (yes) => {
          setQuestion(undefined)
          resolve(yes)
        },
      }),
    )

  const send = async (values: OrganizationValues, { organizationId, version }: Choosable, force: boolean) => {
    const form = formOf(values)
    const input = { ...form, organizationId, version }
    await update.mutateAsync({ input, query: force ? { force: 'true' } : {} }).catch((error: unknown) => {
      throw error instanceof ApiProblem ? atTheirFields(error, form.services) : error
    })
  }

  const save = async (values: OrganizationValues, base: Choosable): Promise<void> => {
    const tooFew = seatsInUse(values, organization)
    if (tooFew) throw tooFew
    const removed = removedInUse(values, organization).map(({ name }) => name)
    if (removed.length > 0 && !(await mayRemove(removed))) return
    try {
      await send(values, base, removed.length > 0)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      // Somebody took a seat since the dialog was opened: what is told, and asked, follows the present state.
      if (error.message === 'seatsInUse') throw seatsInUse(values, await reload()) ?? error
      if (error.message !== 'serviceInUse') throw error
      const names = removedInUse(values, await reload()).map(({ name }) => name)
      if (!(await mayRemove(names))) return
      await send(values, base, true)
    }
    onSaved(values.name)
  }

  const form = useEntityForm<OrganizationDraft, OrganizationValues, Choosable>({
    schema: organizationDraft,
    entity: organization,
    draftOf,
    save,
    reload,
  })
  return { form, question }
}
