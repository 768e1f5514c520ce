import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { type ProfileForm, profile, profileForm, profileLabels } from '#contract/profile/profile.ts'
import { type OwnNumber, ownNumbers } from '#contract/second-factors.ts'
import { type CurrentUser, session } from '#contract/session/session.ts'
import { isLocal } from '#contract/users/user-forms.ts'
import { draftFrom, type Known } from '#web/lib/forms/draft.ts'
import { useEntityForm } from '#web/lib/forms/entity-form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { proveChange, proveNumber } from './prove-number.ts'
import { useOwnPassword } from './use-own-password.ts'

type Draft = z.input<ReturnType<typeof profileForm>>

const blank: Draft = { firstName: '', lastName: '', ssn: '', phoneNumber: '' }
const draftOf = (known: Known<Draft>) => draftFrom(blank, known)
const sameDetails = (one: CurrentUser, other: CurrentUser) =>
  JSON.stringify(draftOf(one)) === JSON.stringify(draftOf(other))

export type OwnDetails = ReturnType<typeof useOwnDetails>

/** The form of the user's own details, and what a change of a number needs. */
export function useOwnDetails() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const client = useQueryClient()
  const { mutateAsync } = useSave(profile.update, { inline: true })
  const confirming = useSave(profile.update)
  const password = useOwnPassword()
  const reload = () => client.fetchQuery({ ...query(session.me), staleTime: 0 })

  const send = async (details: ProfileForm, base: CurrentUser, currentPassword?: string) => {
    const { email, loginMethod } = me
    const on = ({ version, preferredLanguage }: CurrentUser) =>
      mutateAsync({ input: { ...details, email, loginMethod, preferredLanguage, version, currentPassword } })
    const refused = await on(sameDetails(base, me) ? me : base).catch((error: unknown) => error)
    if (!refused) return
    const present = isChangedByOthers(refused) ? await reload() : undefined
    // Only other properties changed meanwhile, such as the language: retry with the new version.
    if (present && sameDetails(base, present)) await on(present)
    else throw refused
  }

  /** Asks for what the change needs. @returns whether it was saved */
  const save = async (details: ProfileForm, base: CurrentUser): Promise<boolean> => {
    const numbers = ownNumbers.filter((name) => details[name] !== base[name])
    if (numbers.length === 0 || !isLocal(me.loginMethod))
      try {
        await send(details, base)
        return true
      } catch (error) {
        // A number has changed elsewhere: the server says so once it has the password.
        if (!(error instanceof ApiProblem && error.message === 'reauthenticationRequired')) throw error
      }
    const currentPassword = await password.ask()
    const isNew = numbers.some((name) => details[name] !== null)
    if (currentPassword === undefined || !(await proveChange({ isNew }))) return false
    await send(details, base, currentPassword)
    return true
  }

  const form = useEntityForm<Draft, ProfileForm, CurrentUser>({
    schema: profileForm(me.loginMethod),
    labels: profileLabels,
    entity: me,
    draftOf,
    reload,
    save: async (details, base) => {
      if (!(await save(details, base))) return
      const saved = draftOf(details)
      // Later changes are compared with the state that the server has now.
      await reload().then(
        (present) => form.rebase(present, saved),
        () => form.form.reset(saved),
      )
      toasts.show({ tone: 'success', title: t('updated') })
    },
  })

  /** Makes numbers that are there count: they are sent once more, with the password and a second step. */
  const confirmNumbers = (names: readonly OwnNumber[]) =>
    form.beside(async () => {
      const currentPassword = await password.ask()
      if (currentPassword === undefined || !(await proveNumber())) return
      const numbers = Object.fromEntries(names.map((name) => [name, me[name]]))
      await confirming.mutateAsync({ input: { ...numbers, currentPassword } }).then(
        () => toasts.show({ tone: 'success', title: t('updated') }),
        () => undefined,
      )
    })

  return { form, question: password.question, confirmNumbers }
}

const isChangedByOthers = (error: unknown) => error instanceof ApiProblem && error.message === 'changedByOthers'
