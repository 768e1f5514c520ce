import type { MessageKey } from '#contract/message-key.ts'
import { errorName, faultOf, knowsPasskeys, proveByPasskey, stopWaiting } from '#web/lib/passkeys/browser-passkeys.ts'

/** The sign-in that is open. */
interface Place {
  uid: string
  challenge: string
  rpId: string
  /** What stands in the field, to show it again after a failure. */
  readEmail: () => string
}

const ask = ({ challenge, rpId }: Place, mediation?: 'conditional') =>
  proveByPasskey({ challenge, rpId, timeout: 5 * 60_000, userVerification: 'required' }, mediation)

/** Posts the proof as a form, so that the answer leads on to the next page. */
function post({ uid, readEmail }: Place, credential: unknown): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = `/interaction/${uid}/passkey`
  for (const [name, value] of Object.entries({ credential: JSON.stringify(credential), email: readEmail() })) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}

/** Milliseconds; a request of autofill that fails at once was refused by the browser, and not by the person. */
const pause = 1000
const tries = 3

/**
 * Offers passkeys in the list of autofill as long as the page is open. Silent about every failure: there is the button.
 *
 * @returns stops it
 */
export function waitForPasskey(place: Place): () => void {
  let ended = false
  const wait = async () => {
    if (!knowsPasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    // Safari refuses the first request after a reload (SimpleWebAuthn 348).
    for (let tried = 0; tried < tries && !ended; tried++) {
      try {
        const credential = await ask(place, 'conditional')
        if (!ended) post(place, credential)
        return
      } catch (error) {
        // The button took over, or the browser cannot.
        if (errorName(error) !== 'NotAllowedError') return
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
  void wait().catch(() => undefined)
  return () => {
    ended = true
    stopWaiting()
  }
}

/**
 * Asks for a passkey in the browser's dialog, and offers it in autofill again if none comes.
 *
 * @returns `sent`, `cancelled`, or what to say
 */
export async function askForPasskey(place: Place): Promise<'sent' | 'cancelled' | MessageKey> {
  if (!knowsPasskeys()) return 'passkeyBrowserTooOld'
  try {
    post(place, await ask(place))
    return 'sent'
  } catch (error) {
    waitForPasskey(place)
    return faultOf(error) ?? 'cancelled'
  }
}
