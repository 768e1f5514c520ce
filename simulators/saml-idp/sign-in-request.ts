import { inflateRawSync } from 'node:zlib'

/** What a service provider asks for with its request. */
export interface SignInRequest {
  requestId: string
  acsUrl: string
  /** Its entity id. */
  issuer: string
  /** As it was sent, to be sent along once more. */
  samlRequest: string
  relayState: string
}

/** Reads a request of the HTTP Redirect binding; undefined where there is none that could be answered. */
export function readSignInRequest(fields: URLSearchParams): SignInRequest | undefined {
  const samlRequest = fields.get('SAMLRequest') ?? ''
  const xml = inflated(samlRequest)
  const found = (pattern: RegExp) => pattern.exec(xml)?.[1]
  const requestId = found(/\sID="([^"]+)"/)
  const acsUrl = found(/\sAssertionConsumerServiceURL="([^"]+)"/)
  const issuer = found(/<(?:\w+:)?Issuer\b[^>]*>([^<]+)</)
  if (!requestId || !acsUrl || !issuer) return undefined
  return { requestId, acsUrl, issuer, samlRequest, relayState: fields.get('RelayState') ?? '' }
}

function inflated(text: string): string {
  try {
    return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: 64 * 1024 }).toString()
  } catch {
    return ''
  }
}
