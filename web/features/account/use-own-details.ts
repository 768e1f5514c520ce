import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type * as z from 'zod/mini'
import { type ProfileDraft, type ProfileForm, profile, profileForm } from '#contract/profile.ts'
import { type CurrentUser, session } from '#contract/session.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useEntityForm } from '#web/lib/entity-form.ts'
import { query } from '#web/lib/query.ts'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { toasts } from '#web/ui/toast-store.ts'

/** A change that the server wants confirmed, and what the form waits for. */
export interface Unconfirmed {
  /** What of it is new. */
  draft: ProfileDraft
  /** Sends it once more. */
  retry: (currentPassword: string) => Promise<void>
  /** Takes it back to the form: saved, refused for another reason, or given up. */
  settle: (outcome?: { problem: ApiProblem } | 'saved') => void
}

type Draft = z.input<ReturnType<typeof profileForm>>

const draftOf = ({ firstName, lastName, ssn, phoneNumber }: CurrentUser): Draft => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  ssn: ssn ?? '',
  phoneNumber: phoneNumber ?? '',
})
const sameDetails = (one: CurrentUser, other: CurrentUser) =>
  JSON.stringify(draftOf(one)) === JSON.stringify(draftOf(other))

const changedBy = (details: ProfileForm, present: CurrentUser): ProfileDraft =>
  Object.fromEntries(Object.entries(details).filter(([name, value]) => value !== present[name as keyof ProfileForm]))

export type OwnDetails = ReturnType<typeof useOwnDetails>

/** The form of the own details, and the change of it that waits for a confirmation. */
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
    // What is new there is another matter, such as the language.
    if (present && sameDetails(base, present)) await on(present)
    else throw atItsField(refused)
  }

  /** Whether it was confirmed. */
  const confirmed = (details: ProfileForm, base: CurrentUser) =>
    new Promise<boolean>((resolve, reject) =>
      setUnconfirmed({
        draft: changedBy(details, base),
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
      const saved = { ...details, ssn: details.ssn ?? '', phoneNumber: details.phoneNumber ?? '' }
      // The next change is one of what is there now.
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

/** A number that somebody else has is told where it stands. */
function atItsField(error: unknown) {
  if (!(error instanceof ApiProblem && error.message === 'ssnTaken')) return error
  return new ApiProblem(error.status, error.message, { issues: [{ path: 'ssn', message: error.message }] })
}
