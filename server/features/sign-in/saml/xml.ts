import { createRequire } from 'node:module'
import { Refusal } from './refusal.ts'

/** As much of an element as this room looks at. */
export interface XmlElement {
  nodeType: number
  namespaceURI: string | null
  localName: string
  textContent: string | null
  firstChild: XmlElement | null
  nextSibling: XmlElement | null
  parentNode: XmlElement | null
  attributes: { length: number; item(index: number): { localName: string; name: string; value: string } | null }
  hasAttribute(name: string): boolean
  getAttribute(name: string): string | null
}

interface Parser {
  DOMParser: new (options: {
    errorHandler: (level: string, message: string) => void
  }) => {
    parseFromString(text: string, type: string): { documentElement: XmlElement | null }
  }
}

// Its types bring the whole DOM along. The signatures are verified on trees of this parser, so it is the one to look with.
const load = () => createRequire(import.meta.url)('@xmldom/xmldom') as Parser
let parser: Parser | undefined

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
} as const
export type Space = keyof typeof namespaces

/**
 * The root of a document. What the parser so much as warns of is refused.
 *
 * @throws Refusal
 */
export function parseXml(text: string): XmlElement {
  parser ??= load()
  const errorHandler = (_level: string, message: string) => {
    throw new Refusal('the answer is not well-formed', { cause: new Error(message) })
  }
  const root = new parser.DOMParser({ errorHandler }).parseFromString(text, 'text/xml').documentElement
  if (!root) throw new Refusal('the answer is empty')
  return root
}

const element = 1

/** Its child elements. */
export function childrenOf(parent: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  for (let child = parent.firstChild; child; child = child.nextSibling)
    if (child.nodeType === element) found.push(child)
  return found
}

/** The element itself and everything in it. */
export const allWithin = (root: XmlElement): XmlElement[] => [root, ...childrenOf(root).flatMap(allWithin)]

export const is = ({ namespaceURI, localName }: XmlElement, space: Space, name: string) =>
  namespaceURI === namespaces[space] && localName === name

export const childrenNamed = (parent: XmlElement, space: Space, name: string) =>
  childrenOf(parent).filter((child) => is(child, space, name))

/**
 * The one child of this name.
 *
 * @throws Refusal when there is none or more than one
 */
export function onlyChild(parent: XmlElement, space: Space, name: string): XmlElement {
  const found = childrenNamed(parent, space, name)
  const [only] = found
  if (!only || found.length > 1) throw new Refusal(`${parent.localName} must have one ${name}`)
  return only
}

/**
 * The child of this name, if there is one.
 *
 * @throws Refusal when there is more than one
 */
export const optionalChild = (parent: XmlElement, space: Space, name: string) =>
  childrenNamed(parent, space, name).length === 0 ? undefined : onlyChild(parent, space, name)

/** Undefined where it is missing. */
export const attributeOf = (node: XmlElement, name: string): string | undefined =>
  node.hasAttribute(name) ? (node.getAttribute(name) ?? undefined) : undefined

/**
 * The text of an element that holds nothing else, without blanks around it.
 *
 * @throws Refusal when there are elements in it
 */
export function textOf(node: XmlElement): string {
  if (childrenOf(node).length > 0) throw new Refusal(`${node.localName} must be a text`)
  return (node.textContent ?? '').trim()
}
