import { useCallback, useEffect, useRef, useState } from 'react'
import { session } from '#contract/session/session.ts'
import { call } from '#web/lib/requests/api.ts'
import { isSigningOut } from '#web/lib/requests/sign-out.tsx'

const pollEvery = 10_000
/** Tabs notify each other when the session was extended. */
const channelName = 'session'

/**
 * When the session ends, by this browser's clock in milliseconds; undefined until the first answer of the server.
 * Polls every ten seconds, and at once when the tab becomes visible, comes back from the history, or the network
 * returns. A failed request changes nothing: being offline signs nobody out.
 */
export function useSessionClock() {
  const [deadline, setDeadline] = useState<number>()
  const requests = useRef({ sent: 0, answered: 0 })

  const check = useCallback(async () => {
    const sentAt = Date.now()
    const request = ++requests.current.sent
    const secondsToLive = await call(session.expire).then(
      (answer) => answer.secondsToLive,
      () => undefined,
    )
    // A later request has been answered already.
    if (secondsToLive === undefined || request < requests.current.answered) return
    requests.current.answered = request
    if (secondsToLive > 0) setDeadline(sentAt + secondsToLive * 1000)
    else if (!isSigningOut()) location.assign('/session-expired')
  }, [])

  /** Extends the session; false when the server could not be reached or the session is over. */
  const refresh = useCallback(async () => {
    const extended = await fetch('/oidc/auth').then(
      ({ ok }) => ok,
      () => false,
    )
    await check()
    if (extended) notifyTabs()
    return extended
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

function notifyTabs() {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('extended')
  channel.close()
}
