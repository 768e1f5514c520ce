import type { KeyObject } from 'node:crypto'
import { html as xml } from '#server/platform/html.ts'
import { createRedirectUrl } from './redirect-binding.ts'

interface AuthnRequest {
  id: string
  /** The URL of the identity provider. */
  destination: string
  /** Our entity id. */
  issuer: string
  acsUrl: string
  now: Date
  /** `ForceAuthn`: the user must reauthenticate, even with a session there. */
  anew: boolean
  /** An opaque id of the request, which the response returns. */
  relayState: string
  /** RSA key. Undefined where requests are not signed. */
  key: KeyObject | undefined
}

/** Creates the redirect URL with the authentication request (HTTP Redirect binding: Bindings, 3.4). */
export function createAuthnRequestUrl(request: AuthnRequest): string {
  const { destination, relayState, key } = request
  return createRedirectUrl({ destination, name: 'SAMLRequest', xml: authnRequestXml(request), relayState, key })
}

const authnRequestXml = ({ id, destination, issuer, acsUrl, now, anew }: AuthnRequest): string =>
  xml`<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${now.toISOString()}" Destination="${destination}" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" AssertionConsumerServiceURL="${acsUrl}"${anew && xml` ForceAuthn="true"`}><saml:Issuer>${issuer}</saml:Issuer><samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>`
    .html
