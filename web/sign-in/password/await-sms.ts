import type { AnswerOf } from '#contract/route.ts'
import type { secondFactor } from '#contract/sign-in/second-factor.ts'

/**
 * How long an SMS may take before e-mail is offered; ms. The offer must be visible within three seconds of the request,
 * and the server reports no SMS as failed that has waited for less than two.
 */
const deliveryTimeout = 2_100
const pollInterval = 400

interface AwaitSms {
  ask: () => Promise<AnswerOf<typeof secondFactor.delivery>>
  /** The SMS failed, or its status was unknown until the timeout. */
  onStuck: () => void
}

/**
 * Polls until it is known whether an SMS was sent. The timeout has a timer of its own, so that a slow answer does not
 * delay it.
 *
 * @returns stops polling
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
    else next = setTimeout(once, pollInterval)
  }
  let next = setTimeout(once, pollInterval)
  const last = setTimeout(giveUp, deliveryTimeout)
  return end
}
