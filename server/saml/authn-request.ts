import { html as xml } from '#server/platform/html.ts'
import { decodeResponse } from './decode-response.ts'
import { Refusal } from './refusal.ts'
import { getAttribute, parseXml } from './xml.ts'

interface AuthnRequest {
  id: string
  /** The URL of the identity provider. */
  destination: string
  /** Our entity id. */
  issuer: string
  acsUrl: string
  now: Date
  /** `ForceAuthn`: the user must reauthenticate, even with a session there. */
  forceAuthn: boolean
  /** The format of the NameID that is asked for; null: any. */
  nameIdFormat: string | null
  /** Authentication context classes of which one must be used; none: any. */
  authnContexts: readonly string[]
}

const versions = { emailAddress: '1.1', unspecified: '1.1', persistent: '2.0', transient: '2.0' }
const formatAttribute = (format: string | null) =>
  format !== null &&
  xml` Format="urn:oasis:names:tc:SAML:${versions[format as keyof typeof versions]}:nameid-format:${format}"`

const contextElement = (classes: readonly string[]) =>
  classes.length > 0 &&
  xml`<samlp:RequestedAuthnContext Comparison="exact">${classes.map((one) => xml`<saml:AuthnContextClassRef>${one}</saml:AuthnContextClassRef>`)}</samlp:RequestedAuthnContext>`

/** The authentication request (SAML Core, 3.4.1). */
export const authnRequestXml = ({ id, destination, issuer, acsUrl, now, forceAuthn, ...asked }: AuthnRequest): string =>
  xml`<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${now.toISOString()}" Destination="${destination}" ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" AssertionConsumerServiceURL="${acsUrl}"${forceAuthn && xml` ForceAuthn="true"`}><saml:Issuer>${issuer}</saml:Issuer><samlp:NameIDPolicy${formatAttribute(asked.nameIdFormat)} AllowCreate="true"/>${contextElement(asked.authnContexts)}</samlp:AuthnRequest>`
    .html

/**
 * The ID attribute of a request, made of its relay state: an answer names it, too, so a provider that loses the relay state
 * or puts its own there loses nothing. XML IDs do not begin with a digit.
 */
export const requestIdOf = (relayState: string): string => `_${relayState}`

/** The relay state of the request that an answer says it is for. Nothing of the answer has been verified. */
export function relayStateIn(base64: string): string | undefined {
  try {
    return /^_([\w-]{43})$/.exec(getAttribute(parseXml(decodeResponse(base64)), 'InResponseTo') ?? '')?.[1]
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
