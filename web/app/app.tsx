import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { session } from '#contract/session/session.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { useFailure } from '#web/lib/requests/loaded.tsx'
import { query } from '#web/lib/requests/query.ts'
import { arrivedByRedirect, leaveForSignIn } from '#web/lib/requests/sign-in-redirect.ts'
import { SignedInProvider } from '#web/lib/session/signed-in.tsx'
import { Frame } from './frame.tsx'
import { FrameError, FrameLoading } from './frame-without-user.tsx'
import { usePreferredLanguage } from './preferred-language.ts'

/** Loading, signed in, signed out, or an error (product-rules 3.8). */
export function App() {
  const { data: me, error, refetch, isFetching } = useQuery({ ...query(session.me), refetchOnWindowFocus: false })
  // Any failed response means signed out. It is an error only if no response came at all, or if a trip to the sign-in
  // did not help.
  const unauthenticated = error instanceof ApiProblem && error.status >= 300 && !arrivedByRedirect()
  const leave = !me && unauthenticated && !isFetching
  useEffect(() => {
    if (leave) void leaveForSignIn()
  }, [leave])
  usePreferredLanguage(me)
  const failure = useFailure({ error: unauthenticated ? null : error, refetch })

  if (me)
    return (
      <SignedInProvider me={me}>
        <Frame />
      </SignedInProvider>
    )
  return failure ? <FrameError {...failure} /> : <FrameLoading />
}
