import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type ProfileDraft, profile } from '#contract/profile.ts'
import { send } from '#web/lib/api.ts'
import { useSignedIn } from '#web/lib/signed-in.tsx'

const page = getRouteApi('/account')

/**
 * The way to a new sign-in and back. What was typed goes along, sealed (docs/decisions/0025); the address says so, so that
 * the Back button finds it as well.
 */
export function useSignInAgain() {
  const { me } = useSignedIn()
  const navigate = page.useNavigate()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (draft: ProfileDraft) => send(profile.keepDraft, { input: draft }),
  })
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!leaving) return
    const query = new URLSearchParams({ returnTo: '/account?draft=kept', email: me.email, prompt: 'login' })
    location.assign(`/login?${query}`)
    // Somebody who comes back to this very page, as it was, is about to leave no more.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(false)
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [leaving, me.email])
  return {
    /** Nothing is lost any more: nobody has to be asked. */
    leaving,
    keeping: isPending,
    /** @throws ApiProblem, shown as a toast, when the draft could not be kept; the page stays then */
    signInAgain: async (draft: ProfileDraft) => {
      await mutateAsync(draft)
      await navigate({ search: { draft: 'kept' }, replace: true, ignoreBlocker: true })
      setLeaving(true)
    },
  }
}
