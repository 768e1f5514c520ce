import { createSign, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { decodeXml } from './decode-response.ts'
import { ensure, Refusal } from './refusal.ts'
import { signatureMethods } from './signature-algorithms.ts'

/** A message to an identity provider. */
export interface Message {
  /** The URL of the identity provider. */
  destination: string
  name: 'SAMLRequest' | 'SAMLResponse'
  xml: string
  relayState: string | undefined
  /** RSA key. Undefined where requests are not signed. */
  key: KeyObject | undefined
}

/** Creates the URL that takes a message to the identity provider (HTTP Redirect binding: Bindings, 3.4). */
export function createRedirectUrl({ destination, name, xml, relayState, key }: Message): string {
  const fields = [
    [name, deflateRawSync(xml).toString('base64')],
    ...(relayState === undefined ? [] : [['RelayState', relayState]]),
    ...(key ? [['SigAlg', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256']] : []),
  ]
  // The signature covers exactly this query string, in this order.
  const query = fields.map(([field, value = '']) => `${field}=${encoded(value)}`).join('&')
  const signature = key && createSign('sha256').update(query).sign(key, 'base64')
  const signed = signature ? `${query}&Signature=${encoded(signature)}` : query
  const { href } = new URL(destination)
  return `${href}${href.includes('?') ? '&' : '?'}${signed}`
}

/** As a browser would send it on: it encodes apostrophes, which would spoil the signature. */
const encoded = (value: string) => encodeURIComponent(value).replaceAll("'", '%27')

/** Far above any sign-out. */
const maxBytes = 64 * 1024

/**
 * Reads a signed request from a redirect. Nothing is unpacked or parsed before its signature is verified.
 *
 * @param query as it was sent: the signature covers its encoding, too
 * @param certificates PEM, one certificate each
 * @returns the XML
 * @throws Refusal
 */
export function readSignedRequest(query: string, certificates: readonly string[]): string {
  const sent = new Map<string, string>()
  for (const pair of query.split('&')) {
    const [name = '', ...value] = pair.split('=')
    ensure(!sent.has(name), 'the request has a parameter twice')
    sent.set(name, value.join('='))
  }
  const parts = ['SAMLRequest', 'RelayState', 'SigAlg'].filter((name) => sent.has(name))
  const signed = parts.map((name) => `${name}=${sent.get(name)}`).join('&')
  const [request, algorithm, signature] = ['SAMLRequest', 'SigAlg', 'Signature'].map((name) => decoded(sent.get(name)))
  ensure(request && algorithm && signature, 'the request is not signed', 'signature')
  const method = signatureMethods.get(algorithm)
  ensure(method, 'the signature uses an algorithm that is not allowed', 'signature')
  const genuine = certificates.some((certificate) => {
    const { publicKey } = new X509Certificate(certificate)
    const key = { key: publicKey, ...method.how }
    return (
      publicKey.asymmetricKeyType === method.key &&
      verify(method.hash, Buffer.from(signed), key, Buffer.from(signature, 'base64'))
    )
  })
  ensure(genuine, 'the request is not signed by this identity provider', 'signature')
  return decodeXml(unpacked(request))
}

function decoded(value: string | undefined): string | undefined {
  try {
    return value === undefined ? undefined : decodeURIComponent(value.replaceAll('+', ' '))
  } catch (cause) {
    throw new Refusal('the request is not encoded for an address', { cause })
  }
}

function unpacked(base64: string): Buffer {
  try {
    return inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: maxBytes })
  } catch (cause) {
    throw new Refusal('the request cannot be unpacked', { cause })
  }
}
