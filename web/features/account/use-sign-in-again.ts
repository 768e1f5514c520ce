import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type ProfileDraft, profile } from '#contract/profile/profile.ts'
import { send } from '#web/lib/requests/api.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'

const page = getRouteApi('/account')

/**
 * Sends the user to the sign-in and back. The draft is saved encrypted (docs/decisions/0025). The address of the page
 * says that there is a draft, so that the Back button restores it too.
 */
export function useSignInAgain() {
  const { me } = useSignedIn()
  const navigate = page.useNavigate()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (draft: ProfileDraft) => send(profile.saveDraft, { input: draft }),
  })
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!leaving) return
    const query = new URLSearchParams({ returnTo: '/account?draft=kept', email: me.email, prompt: 'login' })
    location.assign(`/login?${query}`)
    // The browser restored this page from its back/forward cache: the user is no longer leaving.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && setLeaving(false)
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [leaving, me.email])
  return {
    /** The draft is saved: no warning about unsaved changes. */
    leaving,
    keeping: isPending,
    /** @throws ApiProblem when the draft could not be saved; a toast shows it, and the page stays open */
    signInAgain: async (draft: ProfileDraft) => {
      await mutateAsync(draft)
      await navigate({ search: { draft: 'kept' }, replace: true, ignoreBlocker: true })
      setLeaving(true)
    },
  }
}
