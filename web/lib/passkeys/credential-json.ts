import type { CreationOptions, RequestOptions } from '#contract/passkeys/passkeys.ts'

// WebAuthn 3 has these conversions in the browser. Older browsers have none, and password managers put objects in the place of the
// browser's own that throw there or have none: so everybody gets these.

/** @returns the bytes of base64url */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
}

/** Bytes in whatever form somebody holds them, as base64url. What is text is that already. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return undefined
  const { buffer, byteOffset, byteLength } = value as Partial<Uint8Array>
  const bytes = buffer
    ? new Uint8Array(buffer, byteOffset, byteLength)
    : byteLength === undefined
      ? // A list of numbers, or what became of one in JSON.
        Uint8Array.from(Object.values(value))
      : new Uint8Array(value as ArrayBuffer)
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

type Descriptors = RequestOptions['allowCredentials']
const descriptorsOf = (list: Descriptors) =>
  list.map((one) => ({ ...one, id: bytesOf(one.id) })) as PublicKeyCredentialDescriptor[]

export const toCreationOptions = (options: CreationOptions): PublicKeyCredentialCreationOptions => ({
  ...options,
  challenge: bytesOf(options.challenge),
  user: { ...options.user, id: bytesOf(options.user.id) },
  excludeCredentials: descriptorsOf(options.excludeCredentials),
})

export const toRequestOptions = ({
  allowCredentials = [],
  ...options
}: Omit<RequestOptions, 'allowCredentials'> & Partial<RequestOptions>): PublicKeyCredentialRequestOptions => ({
  ...options,
  challenge: bytesOf(options.challenge),
  allowCredentials: descriptorsOf(allowCredentials),
})

/** What a key said, as far as the portal reads it; each part may be missing or throw. */
interface Given {
  id?: unknown
  rawId?: unknown
  response?: Partial<Record<string, unknown>> & { getTransports?: () => string[] }
  getClientExtensionResults?: () => unknown
  clientExtensionResults?: unknown
}

/** A hint that cannot be had is none. */
function hint(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * The JSON of a new key or of its use.
 *
 * @throws TypeError for what is no key
 */
export function credentialJson(given: unknown) {
  const key = given as Given
  const { response } = key
  if (!response) throw new TypeError('no key')
  const id = textOf(key.rawId) ?? key.id
  return {
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: hint(() => extensionsOf(key)),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: textOf(response.userHandle),
      transports: hint(() => response.getTransports?.() ?? response.transports),
    },
  }
}

/** Others may hold bytes, which are nothing in JSON. */
function extensionsOf(key: Given) {
  const { credProps } = (key.getClientExtensionResults?.() ?? key.clientExtensionResults) as { credProps?: unknown }
  return { credProps }
}
