import { Problem } from '#server/platform/problem.ts'
import { readValueFilter } from './filter.ts'
import type { Filter } from './filter-tree.ts'
import { type Attribute, locate } from './schema.ts'
import { readTokens } from './tokens.ts'

/** Where an operation changes something. */
export interface Path {
  /** The attribute at the path; of one with several values, that attribute. */
  attribute: Attribute
  /** From the outside in. */
  names: string[]
  /** Of several values: those that meet this. */
  filter?: Filter
  /** Of several values: this part of each. */
  part?: string
}

/**
 * Reads `active`, `name.givenName`, `emails[type eq "work" and not (value co "x")].value`, `urn:…:User:department`.
 *
 * @returns undefined for an attribute that is not kept
 * @throws Problem 400 `scimInvalidPath` for what is no path
 */
export function readPath(attributes: Readonly<Record<string, Attribute>>, written: string): Path | undefined {
  const refuse = () => new Problem(400, 'scimInvalidPath')
  const tokens = readTokens(written, refuse)
  const place = locate(attributes, tokens.word())
  if (!place) return undefined
  const { attribute, list, names } = place
  if (!tokens.take('[')) {
    if (!tokens.isAtEnd()) throw refuse()
    const [name = '', part] = names
    return list ? { attribute: list, names: [name], ...(part !== undefined && { part }) } : { attribute, names }
  }
  if (!attribute.many) throw refuse()
  const filter = readValueFilter(attribute.parts ?? {}, tokens)
  if (!tokens.take(']')) throw refuse()
  const after = tokens.isAtEnd() ? '' : tokens.word()
  if (!tokens.isAtEnd() || (after !== '' && !after.startsWith('.'))) throw refuse()
  if (after === '') return { attribute, names, filter }
  const part = locate(attribute.parts ?? {}, after.slice(1))?.names[0]
  return part === undefined ? undefined : { attribute, names, filter, part }
}
