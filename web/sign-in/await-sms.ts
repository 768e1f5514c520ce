import type { AnswerOf } from '#contract/route.ts'
import type { secondFactor } from '#contract/second-factor.ts'

/**
 * How long an SMS may take before e-mail is offered; ms. Within three seconds of asking for it the offer has to be seen,
 * and the server takes no SMS back that has waited for less than two.
 */
const patience = 2_100
const askAgain = 400

interface AwaitSms {
  ask: () => Promise<AnswerOf<typeof secondFactor.delivery>>
  /** It has failed, or nothing has been heard of it for so long that nobody need wait. */
  onStuck: () => void
}

/**
 * Asks whether an SMS has left, until that is known. The patience has a timer of its own: a question that is still on its
 * way holds nobody up.
 *
 * @returns ends the asking
 */
export function awaitSms({ ask, onStuck }: AwaitSms): () => void {
  let ended = false
  const end = () => {
    ended = true
    clearTimeout(next)
    clearTimeout(last)
  }
  const giveUp = () => {
    end()
    onStuck()
  }
  const once = async () => {
    const { delivery } = await ask().catch(() => ({ delivery: 'queued' }))
    if (ended) return
    if (delivery === 'sent') end()
    else if (delivery === 'failed') giveUp()
    else next = setTimeout(once, askAgain)
  }
  let next = setTimeout(once, askAgain)
  const last = setTimeout(giveUp, patience)
  return end
}
