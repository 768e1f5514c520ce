import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ProfileForm, profile, profileForm } from '#contract/profile.ts'
import { type CurrentUser, session } from '#contract/session.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useSchemaForm } from '#web/lib/form.ts'
import { useSignedIn } from '#web/lib/signed-in.tsx'
import { useSave } from '#web/lib/use-save.ts'
import { toasts } from '#web/ui/toast-store.ts'

/** A change that the server wants confirmed, and what the form waits for. */
export interface Unconfirmed {
  /** Sends it once more. */
  retry: (currentPassword: string) => Promise<void>
  /** Takes it back to the form: saved, refused for another reason, or given up. */
  settle: (outcome?: { problem: ApiProblem } | 'saved') => void
}

const draftOf = ({ firstName, lastName, ssn, phoneNumber }: CurrentUser) => ({
  firstName: firstName ?? '',
  lastName: lastName ?? '',
  ssn: ssn ?? '',
  phoneNumber: phoneNumber ?? '',
})

/** The form of the own details, and the change of it that waits for a confirmation. */
export function useOwnDetails() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const client = useQueryClient()
  const { mutateAsync } = useSave(profile.update, { inline: true })
  const [unconfirmed, setUnconfirmed] = useState<Unconfirmed>()
  // The state that the draft was made from: its version tells the server what the change is based on.
  const base = useRef(me)

  const send = async (details: ProfileForm, currentPassword?: string) => {
    const { email, loginMethod, preferredLanguage } = me
    const input = { ...details, email, loginMethod, preferredLanguage, version: base.current.version, currentPassword }
    await mutateAsync({ input }).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.message === 'changedByOthers')
        void client.invalidateQueries({ queryKey: [session.me.url] })
      throw atItsField(error)
    })
  }

  const form = useSchemaForm({
    schema: profileForm(me.loginMethod),
    values: draftOf(me),
    save: async (details) => {
      try {
        await send(details)
      } catch (error) {
        if (!(error instanceof ApiProblem && error.message === 'reauthenticationRequired')) throw error
        const confirmed = await new Promise<boolean>((resolve, reject) =>
          setUnconfirmed({
            retry: (currentPassword) => send(details, currentPassword),
            settle: (outcome) => {
              setUnconfirmed(undefined)
              if (typeof outcome === 'object') reject(outcome.problem)
              else resolve(outcome === 'saved')
            },
          }),
        )
        if (!confirmed) return
      }
      form.form.reset({ ...details, ssn: details.ssn ?? '', phoneNumber: details.phoneNumber ?? '' })
      toasts.show({ tone: 'success', title: t('updated') })
    },
  })

  const { dirty } = form
  const { reset } = form.form
  useEffect(() => {
    const untouched = JSON.stringify(draftOf(base.current)) === JSON.stringify(draftOf(me))
    // A draft stays on the state that it was made from, unless what came in is another matter, such as the language.
    if (dirty && !untouched) return
    base.current = me
    if (!dirty) reset(draftOf(me))
  }, [me, dirty, reset])

  return { form, unconfirmed, discard: () => reset(draftOf(me)) }
}

/** A number that somebody else has is told where it stands. */
function atItsField(error: unknown) {
  if (!(error instanceof ApiProblem && error.message === 'ssnTaken')) return error
  return new ApiProblem(error.status, error.message, { issues: [{ path: 'ssn', message: error.message }] })
}
