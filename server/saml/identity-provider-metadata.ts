import type { X509Certificate } from 'node:crypto'
import type { IdentityProvider, MetadataRead, MetadataWarning } from '#contract/saml-configs/saml-metadata.ts'
import { cutText } from '#server/platform/cut-text.ts'
import { readCertificates } from './certificates.ts'
import { boundXml } from './decode-response.ts'
import { choicesOf, chosenOf, type Entity, entitiesOf, providerOf } from './metadata-entities.ts'
import { MetadataRefusal } from './metadata-refusal.ts'
import { plainMetadata } from './metadata-text.ts'
import { childElementsNamed, getAttribute, getText, parseXml, type XmlElement } from './xml.ts'

// Entra ID and ADFS list hundreds of claims.
const maxElements = 5000
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'

/**
 * Reads metadata (SAML Metadata, 2.3 and 2.4.3). Its signature is not checked: a super user decides whether to trust it.
 *
 * @param entityId which identity provider of several
 * @throws Refusal
 */
export function readIdentityProvider(text: string, now: Date, entityId?: string): MetadataRead {
  const plain = plainMetadata(text)
  if (/<!DOCTYPE/i.test(plain)) throw new MetadataRefusal('metadataDoctype', 'the metadata has a document type')
  const entities = entitiesOf(parseXml(boundXml(plain, maxElements)))
  const chosen = chosenOf(entities, entityId)
  return chosen ? { provider: described(chosen, now), choices: [] } : { provider: null, choices: choicesOf(entities) }
}

function described({ entity, entityId, validUntil }: Entity, now: Date): IdentityProvider {
  const provider = providerOf(entity)
  const signOn = serviceOf(provider, 'SingleSignOnService')
  const logout = serviceOf(provider, 'SingleLogoutService')
  const { certificates, warnings } = signingCertificates(provider)
  const ends = [...validUntil, getAttribute(provider, 'validUntil') ?? ''].map((text) => new Date(text))
  const expired = ends
    .filter((end) => end < now)
    .map((end) => ({ kind: 'expired' as const, detail: end.toISOString() }))
  return {
    entityId,
    url: signOn.location,
    postRequests: signOn.byPost,
    logoutUrl: logout.location,
    logoutResponseUrl: logout.responseLocation,
    postLogout: logout.byPost,
    certificate: [...new Set(certificates)].join(''),
    requestSigningEnabled: ['true', '1'].includes(getAttribute(provider, 'WantAuthnRequestsSigned') ?? ''),
    warnings: [...expired.slice(0, 1), ...warnings],
  }
}

/** Redirects before forms: they need no page between. */
function serviceOf(provider: XmlElement, name: string) {
  const services = childElementsNamed(provider, 'metadata', name)
  const by = (binding: string) => services.find((one) => getAttribute(one, 'Binding') === binding)
  const redirected = by(redirect)
  const service = redirected ?? by(post)
  const address = (attribute: string) => (service && getAttribute(service, attribute)?.trim()) || null
  return {
    location: address('Location'),
    responseLocation: address('ResponseLocation'),
    byPost: service !== undefined && !redirected,
  }
}

/** A key without a use is for signing too. What is left out is named. */
function signingCertificates(provider: XmlElement): { certificates: string[]; warnings: MetadataWarning[] } {
  const certificates: string[] = []
  const warnings: MetadataWarning[] = []
  for (const key of childElementsNamed(provider, 'metadata', 'KeyDescriptor')) {
    const use = getAttribute(key, 'use') ?? 'signing'
    if (use === 'encryption') continue
    for (const text of certificateTexts(key))
      for (const { certificate, usable } of readCertificates(text))
        if (use !== 'signing') warnings.push({ kind: 'unknownUse', detail: `${use}: ${nameOf(certificate)}` })
        else if (!certificate) warnings.push({ kind: 'unreadable', detail: cutText(text, 40) })
        else if (!usable) warnings.push({ kind: 'weakKey', detail: nameOf(certificate) })
        else certificates.push(certificate.toString())
  }
  return { certificates, warnings: warnings.slice(0, 20) }
}

const certificateTexts = (key: XmlElement): string[] =>
  childElementsNamed(key, 'signature', 'KeyInfo')
    .flatMap((info) => childElementsNamed(info, 'signature', 'X509Data'))
    .flatMap((data) => childElementsNamed(data, 'signature', 'X509Certificate'))
    .map(getText)

const nameOf = (certificate: X509Certificate | undefined) =>
  cutText((certificate?.subject ?? '').split('\n').join(', '), 200) || '–'
