import type { MessageKey } from '#contract/message-key.ts'
import type { CreationOptions } from '#contract/passkeys/passkeys.ts'
import { credentialJson, toCreationOptions, toRequestOptions } from './credential-json.ts'

/** Whether the browser can use keys at all. */
export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** The person or the browser said no, or nobody answered in time: browsers do not say which. */
const cancelled = ['NotAllowedError', 'AbortError']

const faults: Record<string, MessageKey> = {
  SecurityError: 'passkeyWrongAddress',
  ConstraintError: 'passkeyNoVerification',
  NotSupportedError: 'passkeyNotSupported',
}

/** What may be said of a failure. */
export const passkeyFaults: readonly MessageKey[] = [...Object.values(faults), 'passkeyFailed']

/** Of whatever it is: password managers throw what is no DOMException. */
export const errorName = (error: unknown): string => String((error as { name?: unknown } | null)?.name)

/**
 * What to say of a failure of a call of WebAuthn, by its name alone: texts differ between browsers.
 *
 * @returns undefined for a cancel, which needs no words
 */
export const faultOf = (error: unknown): MessageKey | undefined =>
  cancelled.includes(errorName(error)) ? undefined : (faults[errorName(error)] ?? 'passkeyFailed')

/** The same while a key is made: one of those that the account has cannot be made again. */
export const faultOfMaking = (error: unknown): MessageKey | undefined =>
  errorName(error) === 'InvalidStateError' ? 'passkeyExists' : faultOf(error)

// A browser refuses a second request while one is waiting: autofill waits all the time.
let waiting = new AbortController()

/** Aborts what is waiting. @returns the signal of the next request */
function nextSignal(): AbortSignal {
  waiting.abort()
  waiting = new AbortController()
  return waiting.signal
}

/** Ends a request that waits for autofill. */
export const stopWaiting = (): void => waiting.abort()

/**
 * Asks for the use of a key. `conditional`: in the list of autofill, without a dialog.
 *
 * @returns the JSON for the server
 * @throws DOMException, or what a password manager throws: see `faultOf`
 */
export async function proveByPasskey(options: Parameters<typeof toRequestOptions>[0], mediation?: 'conditional') {
  const request = { publicKey: toRequestOptions(options), signal: nextSignal(), ...(mediation && { mediation }) }
  return jsonOf(await navigator.credentials.get(request))
}

/**
 * Makes a key. `conditional`: the browser does so by itself, if it can, without a dialog.
 *
 * @throws DOMException, or what a password manager throws: see `faultOfMaking`
 */
export async function makePasskey(options: CreationOptions, mediation?: 'conditional') {
  const request = { publicKey: toCreationOptions(options), signal: nextSignal(), ...(mediation && { mediation }) }
  return jsonOf(await navigator.credentials.create(request))
}

function jsonOf(credential: Credential | null) {
  if (!credential) throw new DOMException('no key', 'NotAllowedError')
  return credentialJson(credential)
}
