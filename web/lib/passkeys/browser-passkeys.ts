import type { CreationOptions, RequestOptions } from '#contract/passkeys/passkeys.ts'

/** The browser's own conversions (WebAuthn 3); without them it is too old for passkeys here. */
export const knowsPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Why no key came: the person or the browser said no, which needs no words, or something that the person must know. */
export type PasskeyFailure = 'cancelled' | 'exists' | 'wrongAddress' | 'failed'

/** The failure of a call of WebAuthn, by its name alone: texts differ between browsers. */
export function failureOf(error: unknown): PasskeyFailure {
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return 'cancelled'
    case 'InvalidStateError':
      return 'exists'
    case 'SecurityError':
      return 'wrongAddress'
    default:
      return 'failed'
  }
}

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

type Request = Omit<RequestOptions, 'allowCredentials'> & Partial<RequestOptions>

/**
 * Asks for the use of a key. `conditional`: in the list of autofill, without a dialog.
 *
 * @returns the JSON for the server
 * @throws DOMException: see `failureOf`
 */
export async function proveByPasskey(options: Request, mediation?: 'conditional') {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({
    publicKey,
    signal: nextSignal(),
    ...(mediation && { mediation }),
  })
  return toJson(credential) as AuthenticationResponseJSON
}

/**
 * Makes a key. `conditional`: the browser does so by itself, if it can, without a dialog.
 *
 * @throws DOMException: see `failureOf`
 */
export async function makePasskey(options: CreationOptions, mediation?: 'conditional') {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const request = { publicKey, signal: nextSignal(), ...(mediation && { mediation }) }
  return toJson(await navigator.credentials.create(request)) as RegistrationResponseJSON
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no key', 'NotAllowedError')
  return credential.toJSON()
}
