import type { BankidState } from '#contract/bankid.ts'
import { CallFailed } from './calls.ts'

/** All in ms. The QR code changes each second. */
export const pace = 1000
const slowPace = 5000
/** Whoever looks elsewhere for so long signs in no more. Coming back, they find out at once how things stand. */
const outOfSight = 60_000
/** One answer that fails is a hiccup that nobody need hear of; with this many the code on the screen is too old. */
const troubling = 2
const slowAfter = 5

export type News =
  | { name: 'state'; state: BankidState }
  /** No answer for a while; it keeps asking. */
  | { name: 'trouble' }
  /** The interaction or its order is over: there is nothing more to ask for. */
  | { name: 'gone' }

interface Follow {
  ask: () => Promise<BankidState>
  tell: (news: News) => void
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>
  /** Until the first question; ms. */
  wait: number
}

/**
 * Asks how far an order has come, every second until it has ended.
 *
 * @returns ends the asking
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
      if (!(error instanceof CallFailed)) throw error
      if (error.message === 'notFound') {
        tell({ name: 'gone' })
        return end()
      }
      failures++
      if (failures >= troubling) tell({ name: 'trouble' })
      goOn(error.wait ? error.wait * 1000 : failures >= slowAfter ? slowPace : pace)
    }
  }
  const askNow = async () => {
    if (asking || ended) return
    clearTimeout(timer)
    asking = true
    // Where it throws, nobody asks again: that is a mistake of ours.
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
