import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { type ProfileForm, profile, profileForm, profileLabels } from '#contract/profile/profile.ts'
import { type CurrentUser, session } from '#contract/session/session.ts'
import { draftFrom, type Known } from '#web/lib/forms/draft.ts'
import { useEntityForm } from '#web/lib/forms/entity-form.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { query } from '#web/lib/requests/query.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

/** A change that the server accepts only after the user has authenticated again. */
export interface Unconfirmed {
  /** Sends the change again, with the password. */
  retry: (currentPassword: string) => Promise<void>
  /** Closes the confirmation: saved, refused for another reason, or cancelled. */
  settle: (outcome?: { problem: ApiProblem } | 'saved') => void
}

type Draft = z.input<ReturnType<typeof profileForm>>

const blank: Draft = { firstName: '', lastName: '', ssn: '', phoneNumber: '' }
const draftOf = (known: Known<Draft>) => draftFrom(blank, known)
const sameDetails = (one: CurrentUser, other: CurrentUser) =>
  JSON.stringify(draftOf(one)) === JSON.stringify(draftOf(other))

export type OwnDetails = ReturnType<typeof useOwnDetails>

/** The form of the user's own details, and the change that waits for confirmation. */
export function useOwnDetails() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const client = useQueryClient()
  const { mutateAsync } = useSave(profile.update, { inline: true })
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed>()
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

  /** Opens the confirmation. @returns whether the user confirmed */
  const confirmed = (details: ProfileForm, base: CurrentUser) =>
    new Promise<boolean>((resolve, reject) =>
      setUnconfirmed({
        retry: (currentPassword) => send(details, base, currentPassword),
        settle: (outcome) => {
          setUnconfirmed(undefined)
          if (typeof outcome === 'object') reject(outcome.problem)
          else resolve(outcome === 'saved')
        },
      }),
    )

  const form = useEntityForm<Draft, ProfileForm, CurrentUser>({
    schema: profileForm(me.loginMethod),
    labels: profileLabels,
    entity: me,
    draftOf,
    reload,
    save: async (details, base) => {
      try {
        await send(details, base)
      } catch (error) {
        if (!(error instanceof ApiProblem && error.message === 'reauthenticationRequired')) throw error
        if (!(await confirmed(details, base))) return
      }
      const saved = draftOf(details)
      // Later changes are compared with the state that the server has now.
      await reload().then(
        (present) => form.rebase(present, saved),
        () => form.form.reset(saved),
      )
      toasts.show({ tone: 'success', title: t('updated') })
    },
  })

  return { form, unconfirmed }
}

const isChangedByOthers = (error: unknown) => error instanceof ApiProblem && error.message === 'changedByOthers'
