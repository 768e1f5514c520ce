import { parseUsableCertificates } from './certificates.ts'
import { boundXml } from './decode-response.ts'
import { ensure, Refusal } from './refusal.ts'
import { childElementsNamed, getAttribute, getText, isElement, onlyChild, parseXml, type XmlElement } from './xml.ts'

/** What the metadata of an identity provider says about it (SAML Metadata, 2.4.3). */
export interface IdentityProviderMetadata {
  entityId: string
  /** Where HTTP-Redirect requests go; null if the provider does not take them. */
  url: string | null
  /** Where it takes sign-outs by HTTP-Redirect; null if it does not. */
  logoutUrl: string | null
  /** The usable signing certificates, as PEM. */
  certificate: string
  /** The provider wants signed requests. */
  requestSigningEnabled: boolean
}

// Entra ID and ADFS list hundreds of claims.
const maxElements = 5000
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/**
 * Reads the metadata of one identity provider. Its signature is not checked: a super user decides whether to trust it.
 *
 * @throws Refusal
 */
export function readIdentityProvider(text: string): IdentityProviderMetadata {
  const root = parseXml(boundXml(withoutComments(text.trim()), maxElements))
  ensure(isElement(root, 'metadata', 'EntityDescriptor'), 'the metadata is not of one entity')
  const entityId = getAttribute(root, 'entityID')?.trim()
  ensure(entityId, 'the metadata has no entity ID')
  const provider = onlyChild(root, 'metadata', 'IDPSSODescriptor')
  const addressOf = (name: string) => {
    const service = childElementsNamed(provider, 'metadata', name).find(
      (one) => getAttribute(one, 'Binding') === redirect,
    )
    return (service && getAttribute(service, 'Location')?.trim()) || null
  }
  return {
    entityId,
    url: addressOf('SingleSignOnService'),
    logoutUrl: addressOf('SingleLogoutService'),
    certificate: [...new Set(signingCertificates(provider))].join(''),
    requestSigningEnabled: ['true', '1'].includes(getAttribute(provider, 'WantAuthnRequestsSigned') ?? ''),
  }
}

/** A key without a use is for signing too. */
const signingCertificates = (provider: XmlElement): string[] =>
  childElementsNamed(provider, 'metadata', 'KeyDescriptor')
    .filter((key) => (getAttribute(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => childElementsNamed(key, 'signature', 'KeyInfo'))
    .flatMap((info) => childElementsNamed(info, 'signature', 'X509Data'))
    .flatMap((data) => childElementsNamed(data, 'signature', 'X509Certificate'))
    .flatMap((certificate) => parseUsableCertificates(getText(certificate)))

/** Comments are common in metadata. The text is not verified, so that nothing depends on them. */
function withoutComments(xml: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = xml.indexOf('<!--'); start !== -1; start = xml.indexOf('<!--', at)) {
    const end = xml.indexOf('-->', start + 4)
    if (end === -1) throw new Refusal('a comment has no end')
    parts.push(xml.slice(at, start))
    at = end + 3
  }
  return parts.join('') + xml.slice(at)
}
