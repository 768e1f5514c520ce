import { unpadded } from '#contract/passkeys/credentials.ts'

/** What the browser says that it signed; the signature is checked by who reads it. */
export interface ClientData {
  type: unknown
  challenge: string
  origin: unknown
  /** A page of another site showed ours in a frame. */
  inForeignFrame: boolean
}

/**
 * Reads what the browser signed. Members of other versions of the standard, such as `tokenBinding`, say nothing here.
 *
 * @returns undefined for anything that is no such text
 */
export function readClientData({ response }: { response: { clientDataJSON: string } }): ClientData | undefined {
  try {
    // A byte order mark may stand before it.
    const text = new TextDecoder().decode(Buffer.from(response.clientDataJSON, 'base64url'))
    const data = JSON.parse(text) as Record<string, unknown> | null
    if (typeof data?.challenge !== 'string') return undefined
    const { type, challenge, origin, crossOrigin, topOrigin } = data
    // Browsers that do not name the other site only say that there is one.
    const isOwn = !crossOrigin && (!topOrigin || topOrigin === origin)
    return { type, challenge: unpadded(challenge), origin, inForeignFrame: !isOwn }
  } catch {
    return undefined
  }
}
