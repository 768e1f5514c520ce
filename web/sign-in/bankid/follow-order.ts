import type { BankidState } from '#contract/sign-in/bankid.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'

/** All in ms. The QR code changes each second. */
export const pace = 1000
const slowPace = 5000
/** Polling pauses for a tab that is hidden for so long. Back in the tab, it polls at once. */
const outOfSight = 60_000
/** A single failed poll is not shown; after this many the code on the screen is too old. */
const troubling = 2
const slowAfter = 5

export type News =
  | { name: 'state'; state: BankidState }
  /** No answer for a while; polling goes on. */
  | { name: 'trouble' }
  /** The interaction or its order is over: polling has ended. */
  | { name: 'gone' }

interface Follow {
  ask: () => Promise<BankidState>
  tell: (news: News) => void
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>
  /** Until the first poll; ms. */
  wait: number
}

/**
 * Polls the order every second until it has ended.
 *
 * @returns stops polling
 */
export function followOrder({ ask, tell, page, wait }: Follow): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let ended = false
  let asking = false
  let failures = 0
  let hiddenSince = page.hidden ? Date.now() : undefined

  const end = () => {
    ended = true
    clearTimeout(timer)
    page.removeEventListener('visibilitychange', look)
  }
  const once = async () => {
    const since = Date.now()
    try {
      const state = await ask()
      if (ended) return
      failures = 0
      tell({ name: 'state', state })
      if (state.status !== 'pending') return end()
      goOn(pace - (Date.now() - since))
    } catch (error) {
      if (ended) return
      if (!(error instanceof ApiProblem)) throw error
      if (error.message === 'notFound') {
        tell({ name: 'gone' })
        return end()
      }
      failures++
      if (failures >= troubling) tell({ name: 'trouble' })
      goOn(error.retryAfter ? error.retryAfter * 1000 : failures >= slowAfter ? slowPace : pace)
    }
  }
  const askNow = async () => {
    if (asking || ended) return
    clearTimeout(timer)
    asking = true
    // A throw here is a bug, and ends the polling.
    await once().finally(() => {
      asking = false
    })
  }
  const goOn = (wait: number) => {
    if (hiddenSince !== undefined && Date.now() - hiddenSince >= outOfSight) return
    timer = setTimeout(askNow, Math.max(0, wait))
  }
  function look() {
    hiddenSince = page.hidden ? Date.now() : undefined
    if (!page.hidden) void askNow()
  }
  page.addEventListener('visibilitychange', look)
  goOn(wait)
  return end
}
