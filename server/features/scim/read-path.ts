import { Problem } from '#server/platform/problem.ts'
import type { Json } from './read-value.ts'
import { type Attribute, coreGroup, coreUser, findAttribute } from './user-schema.ts'

/** Where an operation changes something. */
export interface Path {
  /** The attribute at the path; of one with several values, that attribute. */
  attribute: Attribute
  /** From the outside in. */
  names: string[]
  /** Of several values: those with these parts. */
  filter?: Json
  /** Of several values: this part of each. */
  part?: string
}

const prefixes = [coreUser, coreGroup]

/**
 * Reads `active`, `name.givenName`, `emails[type eq "work"].value`, `members[value eq "…"]`, `urn:…:User:department`.
 *
 * @returns undefined for an attribute that is not kept
 * @throws Problem 400 for what is no path
 */
export function readPath(attributes: Readonly<Record<string, Attribute>>, written: string): Path | undefined {
  const prefix = prefixes.find((one) => written.toLowerCase().startsWith(`${one.toLowerCase()}:`))
  const path = prefix ? written.slice(prefix.length + 1) : written
  const [outer, rest] = split(attributes, path)
  const found = findAttribute(attributes, outer)
  if (!found) return undefined
  const [name, attribute] = found
  if (attribute.many) return readChosen(name, attribute, rest)
  const names = [name]
  let inner = attribute
  for (const part of rest.split('.').filter((one) => one !== '')) {
    if (part.includes('[')) throw new Problem(400, 'scimInvalidPath')
    const next = findAttribute(inner.parts, part)
    if (!next) return undefined
    names.push(next[0])
    inner = next[1]
  }
  return { attribute: inner, names }
}

/** The attribute, and what follows it. The name of an extension has dots and colons itself. */
function split(attributes: Readonly<Record<string, Attribute>>, path: string): [outer: string, rest: string] {
  const extension = Object.keys(attributes).find(
    (name) => name.startsWith('urn:') && path.toLowerCase().startsWith(name.toLowerCase()),
  )
  if (extension) return [extension, path.slice(extension.length + 1)]
  const end = path.search(/[.[]/)
  return end === -1 ? [path, ''] : [path.slice(0, end), path.slice(end).replace(/^\./, '')]
}

function readChosen(name: string, attribute: Attribute, rest: string): Path | undefined {
  const chosen = { attribute, names: [name] }
  if (rest === '') return chosen
  const [, filterText, after = ''] = /^\[(.*)\](?:\.([\w$]+))?$/s.exec(rest) ?? []
  const written = filterText === undefined ? rest : after
  const part = written === '' ? undefined : findAttribute(attribute.parts, written)?.[0]
  if (written !== '' && part === undefined) return undefined
  const filter = filterText === undefined ? undefined : readFilter(attribute, filterText)
  return { ...chosen, ...(filter && { filter }), ...(part !== undefined && { part }) }
}

/** `type eq "work"`, and several of them with `and`. */
function readFilter(attribute: Attribute, text: string): Json {
  const terms = text
    .split(/\s+and\s+/i)
    .map((term) => /^\s*([\w$]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/is.exec(term))
  return Object.fromEntries(
    terms.map((term) => {
      const name = findAttribute(attribute.parts, term?.[1] ?? '')?.[0]
      if (!name) throw new Problem(400, 'scimInvalidPath')
      return [name, asJson(term?.[2] ?? '')]
    }),
  )
}

/** A literal of a filter. @throws Problem 400 */
function asJson(literal: string): unknown {
  try {
    return JSON.parse(literal.startsWith('"') ? literal : literal.toLowerCase())
  } catch {
    throw new Problem(400, 'scimInvalidPath')
  }
}
