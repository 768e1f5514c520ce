import { type MetadataChoice, maxMetadataChoices } from '#contract/saml-configs/saml-metadata.ts'
import { localOf, prefixOf, type Scope } from './canonical-stream.ts'
import type { XmlAttribute } from './xml-stream.ts'

const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata'
const userInterface = 'urn:oasis:names:tc:SAML:metadata:ui'
const saml2 = 'urn:oasis:names:tc:SAML:2.0:protocol'
/** Characters of a name, and of an entity ID (SAML Core, 8.3.6). */
const [longestName, longestId] = [100, 1024]

type Names = Partial<Record<'sv' | 'en' | 'other', string>>
interface Provider {
  entityId: string
  isProvider: boolean
  /** MDUI's names of the identity provider, and those of the organisation. */
  names: Record<'own' | 'organization', Names>
}

/** The identity providers of a federation as they come, for a person to choose from; no more than `maxMetadataChoices`. */
export function createProviderList() {
  const choices: MetadataChoice[] = []
  const open: string[] = []
  let current: Provider | undefined
  let naming: { kind: keyof Provider['names']; language: keyof Names; text: string } | undefined

  return {
    open({ name, attributes, scope }: { name: string; attributes: readonly XmlAttribute[]; scope: Scope }) {
      const [space, local] = [scope.get(prefixOf(name)), localOf(name)]
      const read = (wanted: string) => attributes.find(([attribute]) => attribute === wanted)?.[1]
      open.push(space === metadata || space === userInterface ? local : '')
      if (space === metadata && local === 'EntityDescriptor')
        current = {
          entityId: read('entityID')?.trim() ?? '',
          isProvider: false,
          names: { own: {}, organization: {} },
        }
      if (!current) return
      if (space === metadata && local === 'IDPSSODescriptor')
        current.isProvider ||= (read('protocolSupportEnumeration') ?? saml2).split(/\s+/).includes(saml2)
      const said = read('xml:lang')
      const language = said === 'sv' || said === 'en' ? said : 'other'
      if (space === userInterface && local === 'DisplayName' && open.includes('IDPSSODescriptor'))
        naming = { kind: 'own', language, text: '' }
      if (space === metadata && local === 'OrganizationDisplayName' && open.at(-3) === 'EntityDescriptor')
        naming = { kind: 'organization', language, text: '' }
    },
    text(text: string) {
      if (naming && naming.text.length < longestName) naming.text += text.slice(0, longestName - naming.text.length)
    },
    close() {
      const local = open.pop()
      if (naming && (local === 'DisplayName' || local === 'OrganizationDisplayName')) {
        if (current) current.names[naming.kind][naming.language] ??= naming.text.trim()
        naming = undefined
      }
      if (local !== 'EntityDescriptor' || !current) return
      const { entityId, isProvider, names } = current
      current = undefined
      const usable = isProvider && entityId !== '' && entityId.length <= longestId
      if (!usable || choices.length >= maxMetadataChoices) return
      const [own, organization] = [names.own, names.organization].map(({ sv, en, other }) => sv || en || other)
      choices.push({ entityId, displayName: own || organization || null })
    },
    choices: (): readonly MetadataChoice[] => choices,
  }
}
