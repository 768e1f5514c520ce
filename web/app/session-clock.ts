import { useCallback, useEffect, useRef, useState } from 'react'
import { session } from '#contract/session.ts'
import { call } from '#web/lib/api.ts'
import { isSigningOut } from './sign-out.tsx'

const pollEvery = 10_000
/** Tabs tell each other that the session was lengthened. */
const channelName = 'session'

/**
 * When the session ends, by this browser's clock in milliseconds; undefined until the server has said so once.
 * Asks every ten seconds, and at once when the tab is looked at again, comes back from the history, or the network
 * returns. A question without an answer changes nothing: being offline signs nobody out.
 */
export function useSessionClock() {
  const [deadline, setDeadline] = useState<number>()
  const questions = useRef({ asked: 0, answered: 0 })

  const check = useCallback(async () => {
    const asked = Date.now()
    const question = ++questions.current.asked
    const secondsToLive = await call(session.expire).then(
      (answer) => answer.secondsToLive,
      () => undefined,
    )
    // A later question has its answer: what was so before is of no interest.
    if (secondsToLive === undefined || question < questions.current.answered) return
    questions.current.answered = question
    if (secondsToLive > 0) setDeadline(asked + secondsToLive * 1000)
    else if (!isSigningOut()) location.assign('/session-expired')
  }, [])

  /** Lengthens the session; false when the server could not be reached or there is no session any more. */
  const refresh = useCallback(async () => {
    const lengthened = await fetch('/oidc/auth').then(
      ({ ok }) => ok,
      () => false,
    )
    await check()
    if (lengthened) tell()
    return lengthened
  }, [check])

  useEffect(() => {
    void check()
    const timer = setInterval(check, pollEvery)
    const look = () => {
      if (!document.hidden) void check()
    }
    const channel = new BroadcastChannel(channelName)
    channel.addEventListener('message', look)
    document.addEventListener('visibilitychange', look)
    addEventListener('pageshow', look)
    addEventListener('online', look)
    return () => {
      clearInterval(timer)
      channel.close()
      document.removeEventListener('visibilitychange', look)
      removeEventListener('pageshow', look)
      removeEventListener('online', look)
    }
  }, [check])

  return { deadline, check, refresh }
}

function tell() {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('lengthened')
  channel.close()
}
