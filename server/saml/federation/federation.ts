import { createHash, type Hash, verify, X509Certificate } from 'node:crypto'
import type { MetadataChoice } from '#contract/saml-configs/saml-metadata.ts'
import { parseUsableCertificates } from '../certificates.ts'
import { MetadataRefusal } from '../metadata-refusal.ts'
import { ensure } from '../refusal.ts'
import { digestMethods, signatureMethods } from '../signature-algorithms.ts'
import { checkSignatureForm } from '../signature-form.ts'
import { childElements, getAttribute, getText, onlyChild, parseXml, type XmlElement } from '../xml.ts'
import { createCanonicalStream, localOf, prefixOf, type Scope, scopeOf } from './canonical-stream.ts'
import { kept, maxKept } from './kept-element.ts'
import { createProviderList } from './provider-list.ts'
import { createXmlStream, type XmlAttribute } from './xml-stream.ts'

const metadata = 'urn:oasis:names:tc:SAML:2.0:metadata'
const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
interface Wanted {
  /** Whose description is kept; undefined where the document is of one entity, or to learn which there are. */
  entityId: string | undefined
  /** PEM: what the federation signs with. */
  signer: string
  now: Date
}

/**
 * Reads the signed metadata of a federation piece by piece, and keeps one entity of it. The signature stands first (Metadata,
 * 2.3.1), so that it is verified before the rest is read; what it says of the rest is compared at the end. Nothing is
 * given back before that.
 *
 * @throws Refusal from any call
 */
export function createFederationReader({ entityId, signer, now }: Wanted) {
  const keys = parseUsableCertificates(signer).map((pem) => new X509Certificate(pem).publicKey)
  const scopes: Scope[] = [new Map()]
  /** What stands before the signature is held, because the signature says how it is canonicalised. */
  let root: { name: string; attributes: readonly XmlAttribute[]; scope: Scope } | undefined
  let before = ''
  const signature = kept()
  const signedInfo = kept()
  const entity = kept()
  /** Where which entity is meant was not said. */
  let providers: ReturnType<typeof createProviderList> | undefined
  let digest: ReturnType<typeof digesting> | undefined

  const stream = createXmlStream({
    open(name, attributes) {
      const scope = scopeOf(scopes.at(-1) ?? new Map(), attributes)
      scopes.push(scope)
      const element = { name, attributes, scope }
      const space = scope.get(prefixOf(name)) ?? ''
      if (!root) return begin(element, space)
      if (!digest && scopes.length === 3) {
        ensure(
          space === dsig && localOf(name) === 'Signature',
          'the metadata does not begin with its signature',
          'signature',
        )
        signature.start()
      }
      if (!digest) {
        if (scopes.length === 4 && space === dsig && localOf(name) === 'SignedInfo') signedInfo.start()
        for (const part of [signature, signedInfo]) part.open(element)
        return
      }
      if (space === metadata && localOf(name) === 'EntityDescriptor' && isWanted(attributes)) entity.start()
      digest.stream.open(name, attributes, scope)
      entity.open(element)
      providers?.open(element)
    },
    close(name) {
      scopes.pop()
      if (digest) {
        digest.stream.close(name)
        entity.close(name)
        providers?.close()
        return
      }
      for (const part of [signature, signedInfo]) part.close(name)
      if (scopes.length === 2) verified()
    },
    text(text) {
      if (digest) digest.stream.text(text)
      else if (!signature.isOpen()) before += text
      for (const part of [signature, signedInfo, entity]) part.text(text)
      if (digest) providers?.text(text)
      ensure(before.length < maxKept, 'the metadata does not begin with its signature', 'signature')
    },
    instruction(target, data) {
      ensure(digest || signature.isOpen(), 'the metadata does not begin with its signature', 'signature')
      digest?.stream.instruction(target, data)
      for (const part of [signature, signedInfo]) part.instruction(target, data)
    },
  })

  function begin(element: NonNullable<typeof root>, space: string): void {
    const kind = localOf(element.name)
    ensure(space === metadata && (kind === 'EntitiesDescriptor' || kind === 'EntityDescriptor'), 'this is no metadata')
    const until = element.attributes.find(([name]) => name === 'validUntil')?.[1]
    if (until !== undefined && !(new Date(until) > now))
      throw new MetadataRefusal('metadataExpired', 'the metadata has expired')
    if (kind === 'EntityDescriptor') {
      if (entityId !== undefined && !isWanted(element.attributes))
        throw new MetadataRefusal('metadataNoEntity', 'the metadata is of another entity')
      entity.start()
      entity.open(element)
    } else if (entityId === undefined) providers = createProviderList()
    root = element
  }

  function isWanted(attributes: readonly XmlAttribute[]): boolean {
    return attributes.some(([name, value]) => name === 'entityID' && value.trim() === entityId)
  }

  /** The signature is complete: by whom it is, and what it says of the rest. */
  function verified(): void {
    const read = parseXml(signature.take())
    const id = root?.attributes.find(([name]) => name === 'ID')?.[1]
    const { hash, value, inclusive } = checkSignature(read, id, signedInfo.take(), keys)
    digest = digesting(hash, value, inclusive)
    if (root) digest.stream.open(root.name, root.attributes, root.scope)
    digest.stream.text(before)
    entity.text(before)
  }

  return {
    write: stream.write,
    /** @returns the description of the entity, as it was signed, or the identity providers to choose from */
    end(): string | readonly MetadataChoice[] {
      stream.end()
      ensure(digest, 'the metadata is not signed', 'signature')
      ensure(digest.isRight(), 'the metadata was changed after it was signed', 'signature')
      const choices = providers?.choices()
      if (choices?.length === 0)
        throw new MetadataRefusal('metadataNoProvider', 'the metadata has no identity provider of SAML 2.0')
      if (choices) return choices
      const text = entity.take()
      if (text === '') throw new MetadataRefusal('metadataNoEntity', 'the metadata does not have this entity')
      return text
    },
  }
}

function checkSignature(
  signature: XmlElement,
  id: string | undefined,
  signedInfo: string,
  keys: readonly X509Certificate['publicKey'][],
) {
  checkSignatureForm(signature, id)
  const info = onlyChild(signature, 'signature', 'SignedInfo')
  const method = onlyChild(info, 'signature', 'CanonicalizationMethod')
  const reference = onlyChild(info, 'signature', 'Reference')
  const transforms = childElements(onlyChild(reference, 'signature', 'Transforms'))
  const ways = transforms.map((one) => getAttribute(one, 'Algorithm'))
  const isExclusive =
    getAttribute(method, 'Algorithm') === exclusive && childElements(method).length === 0 && ways.at(-1) === exclusive
  if (!isExclusive)
    throw new MetadataRefusal(
      'metadataCanonicalization',
      'the metadata is not signed by exclusive canonicalization without comments',
    )
  const how = signatureMethods.get(getAttribute(onlyChild(info, 'signature', 'SignatureMethod'), 'Algorithm') ?? '')
  const value = Buffer.from(getText(onlyChild(signature, 'signature', 'SignatureValue')), 'base64')
  const isOurs = keys.some(
    (key) =>
      how && key.asymmetricKeyType === how.key && verify(how.hash, Buffer.from(signedInfo), { key, ...how.how }, value),
  )
  ensure(isOurs, 'the metadata is not signed by the key that is pinned', 'signature')
  const hash = digestMethods.get(getAttribute(onlyChild(reference, 'signature', 'DigestMethod'), 'Algorithm') ?? '')
  ensure(hash, 'the digest uses an algorithm that is not allowed', 'signature')
  const lists = transforms.flatMap(childElements).map((one) => getAttribute(one, 'PrefixList') ?? '')
  const inclusive = new Set(
    lists
      .flatMap((list) => list.split(/\s+/))
      .filter(Boolean)
      .map((prefix) => (prefix === '#default' ? '' : prefix)),
  )
  return { hash, value: getText(onlyChild(reference, 'signature', 'DigestValue')), inclusive }
}

/** Digests the canonical form as it comes. */
function digesting(algorithm: string, expected: string, inclusive: ReadonlySet<string>) {
  const hash: Hash = createHash(algorithm)
  let waiting = ''
  const stream = createCanonicalStream((text) => {
    waiting += text
    if (waiting.length < 32_768) return
    hash.update(waiting)
    waiting = ''
  }, inclusive)
  const isRight = () => hash.update(waiting).digest().equals(Buffer.from(expected, 'base64'))
  return { stream, isRight }
}
