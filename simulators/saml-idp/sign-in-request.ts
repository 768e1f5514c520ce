import { inflateRawSync } from 'node:zlib'

/** The request of a service provider. */
export interface SignInRequest {
  requestId: string
  acsUrl: string
  /** The service provider's entity ID. */
  issuer: string
  /** The original parameter, to include in the form. */
  samlRequest: string
  relayState: string
}

/** Reads a request of the HTTP Redirect binding; undefined if it is missing or invalid. */
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
