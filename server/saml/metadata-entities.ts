import type { MetadataChoice } from '#contract/saml-configs/saml-metadata.ts'
import { MetadataRefusal } from './metadata-refusal.ts'
import { ensure } from './refusal.ts'
import { childElements, childElementsNamed, getAttribute, getText, isElement, type XmlElement } from './xml.ts'

const saml2 = namespacesOf('urn:oasis:names:tc:SAML:2.0:protocol')
function namespacesOf(protocol: string) {
  return (role: XmlElement) =>
    (getAttribute(role, 'protocolSupportEnumeration') ?? protocol).split(/\s+/).includes(protocol)
}

/** Its role of SAML 2.0. One of SAML 1.1 may stand beside it. */
const rolesOf = (entity: XmlElement): XmlElement[] =>
  childElementsNamed(entity, 'metadata', 'IDPSSODescriptor').filter(saml2)

/** @throws Refusal when it has none, or several */
export function providerOf(entity: XmlElement): XmlElement {
  const [role, ...more] = rolesOf(entity)
  if (!role) throw new MetadataRefusal('metadataNoProvider', 'the metadata has no identity provider of SAML 2.0')
  if (more.length > 0)
    throw new MetadataRefusal('metadataTwoDescriptors', 'the metadata describes two identity providers of SAML 2.0')
  return role
}

/** What a group says until when it is valid counts for those in it. */
export interface Entity {
  entity: XmlElement
  entityId: string
  validUntil: string[]
}

/**
 * Every entity of a document, of one or of an aggregate, in groups or not.
 *
 * @throws Refusal for another document
 */
export function entitiesOf(root: XmlElement, above: readonly string[] = []): Entity[] {
  const until = getAttribute(root, 'validUntil')
  const validUntil = until === undefined ? [...above] : [...above, until]
  if (isElement(root, 'metadata', 'EntityDescriptor')) {
    const entityId = getAttribute(root, 'entityID')?.trim()
    ensure(entityId, 'the metadata has no entity ID')
    return [{ entity: root, entityId, validUntil }]
  }
  ensure(isElement(root, 'metadata', 'EntitiesDescriptor'), 'this is no metadata')
  return childElements(root).flatMap((child) =>
    isElement(child, 'metadata', 'EntityDescriptor') || isElement(child, 'metadata', 'EntitiesDescriptor')
      ? entitiesOf(child, validUntil)
      : [],
  )
}

/**
 * The identity provider that is meant: the named one, else the only one.
 *
 * @returns undefined where one of several must be named
 * @throws Refusal
 */
export function chosenOf(entities: readonly Entity[], entityId: string | undefined): Entity | undefined {
  const providers = entities.filter(({ entity }) => rolesOf(entity).length > 0)
  const [first] = entities
  // Of a document of one entity, its own mistake is what helps.
  const candidates = entities.length === 1 && first ? [first] : providers
  const [only, ...more] = entityId ? candidates.filter((one) => one.entityId === entityId) : candidates
  if (!only && entityId) throw new MetadataRefusal('metadataNoEntity', 'the metadata does not have this entity')
  if (!only) throw new MetadataRefusal('metadataNoProvider', 'the metadata has no identity provider of SAML 2.0')
  if (more.length > 0 && entityId)
    throw new MetadataRefusal('metadataEntityTwice', 'the metadata has this entity twice')
  return more.length > 0 ? undefined : only
}

/** What a person chooses from. */
export const choicesOf = (entities: readonly Entity[]): MetadataChoice[] =>
  entities
    .filter(({ entity }) => rolesOf(entity).length > 0)
    .map(({ entity, entityId }) => ({ entityId, displayName: displayNameOf(entity) }))

/** MDUI's name, else that of the organisation; in Swedish or English where there is one. */
function displayNameOf(entity: XmlElement): string | null {
  const inRoles = rolesOf(entity)
    .flatMap((role) => childElementsNamed(role, 'metadata', 'Extensions'))
    .flatMap((extensions) => childElements(extensions).filter(({ localName }) => localName === 'UIInfo'))
    .flatMap((info) => childElements(info).filter(({ localName }) => localName === 'DisplayName'))
  const ofOrganization = childElementsNamed(entity, 'metadata', 'Organization').flatMap((organization) =>
    childElementsNamed(organization, 'metadata', 'OrganizationDisplayName'),
  )
  const names = inRoles.length > 0 ? inRoles : ofOrganization
  const inLanguage = (language: string) => names.find((name) => getAttribute(name, 'xml:lang') === language)
  const name = inLanguage('sv') ?? inLanguage('en') ?? names[0]
  return (name && getText(name)) || null
}
