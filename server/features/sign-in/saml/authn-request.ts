import { createSign, type KeyObject } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { html as xml } from '#server/platform/html.ts'

interface AuthnRequest {
  id: string
  /** Where it is sent. */
  destination: string
  /** Our entity id. */
  issuer: string
  acsUrl: string
  now: Date
  /** The person must sign in there again, also with a session there. */
  anew: boolean
  /** Names the request when it is answered; says nothing to anybody else. */
  relayState: string
  /** RSA. Undefined where the company does not want requests signed. */
  key: KeyObject | undefined
}

/** The address that carries a request for a sign-in to an identity provider (HTTP Redirect binding: Bindings, 3.4). */
export function authnRequestAddress(request: AuthnRequest): string {
  const { destination, relayState, key } = request
  const fields = [
    ['SAMLRequest', deflateRawSync(authnRequestXml(request)).toString('base64')],
    ['RelayState', relayState],
    ...(key ? [['SigAlg', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256']] : []),
  ]
  // What is signed are these very characters, in this order.
  const query = fields.map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`).join('&')
  const signature = key && createSign('sha256').update(query).sign(key, 'base64')
  const signed = signature ? `${query}&Signature=${encodeURIComponent(signature)}` : query
  return `${destination}${destination.includes('?') ? '&' : '?'}${signed}`
}

const authnRequestXml = ({ id, destination, issuer, acsUrl, now, anew }: AuthnRequest): string =>
  xml`<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${now.toISOString()}" Destination="${destination}" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" AssertionConsumerServiceURL="${acsUrl}"${anew && xml` ForceAuthn="true"`}><saml:Issuer>${issuer}</saml:Issuer><samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>`
    .html
