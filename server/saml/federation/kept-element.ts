import { MetadataRefusal } from '../metadata-refusal.ts'
import { ensure } from '../refusal.ts'
import { type CanonicalStream, createCanonicalStream, type Scope } from './canonical-stream.ts'
import type { XmlAttribute } from './xml-stream.ts'

/** The longest signature and entity that are kept, in characters. */
export const maxKept = 500_000

/** One element of the document with what is in it, in canonical form. */
export function kept() {
  let text = ''
  let depth = 0
  let stream: CanonicalStream | undefined
  const add = (more: string) => {
    text += more
    ensure(text.length <= maxKept, 'a part of the metadata is too long')
  }
  return {
    isOpen: () => stream !== undefined,
    start() {
      if (text !== '' || stream) throw new MetadataRefusal('metadataEntityTwice', 'the metadata has a part twice')
      stream = createCanonicalStream(add)
      depth = 0
    },
    open({ name, attributes, scope }: { name: string; attributes: readonly XmlAttribute[]; scope: Scope }) {
      stream?.open(name, attributes, scope)
      depth++
    },
    close(name: string) {
      stream?.close(name)
      depth--
      if (depth === 0) stream = undefined
    },
    text: (more: string) => stream?.text(more),
    instruction: (target: string, data: string) => stream?.instruction(target, data),
    take: () => (stream ? '' : text),
  }
}
