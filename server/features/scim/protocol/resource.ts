import { type Operation, patchResource } from './patch.ts'
import type { Attribute } from './schema.ts'
import { type Json, type Note, readAttributes } from './value.ts'

/** A whole resource, as a POST or PUT sends it. */
export const readResource = (attributes: Readonly<Record<string, Attribute>>, body: Json, notes: Note[]): Json =>
  // Some send `"name.givenName"` here as well.
  patchResource(attributes, readAttributes(attributes, withoutDots(body), notes), dotted(body), notes)

const isDotted = (name: string) => /^[a-z]+\./i.test(name)
const withoutDots = (body: Json): Json => Object.fromEntries(Object.entries(body).filter(([name]) => !isDotted(name)))
const dotted = (body: Json): Operation[] =>
  Object.entries(body)
    .filter(([name]) => isDotted(name))
    .map(([path, value]) => ({ op: 'replace', path, value }))
