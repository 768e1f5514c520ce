import { createRequire } from 'node:module'
import { Refusal } from './refusal.ts'

/** The part of the DOM interface that is used here. */
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

// Untyped, because its types require the whole DOM library. xml-crypto uses the same parser, so both see the same tree.
const load = () => createRequire(import.meta.url)('@xmldom/xmldom') as Parser
let parser: Parser | undefined

export const namespaces = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
  encryption11: 'http://www.w3.org/2009/xmlenc11#',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
} as const
export type Namespace = keyof typeof namespaces

/**
 * Parses a document and returns its root. Parser warnings are errors.
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

/** The child elements. */
export function childElements(parent: XmlElement): XmlElement[] {
  const found: XmlElement[] = []
  for (let child = parent.firstChild; child; child = child.nextSibling)
    if (child.nodeType === element) found.push(child)
  return found
}

/** The element and all its descendants. */
export const selfAndDescendants = (root: XmlElement): XmlElement[] => [
  root,
  ...childElements(root).flatMap(selfAndDescendants),
]

export const isElement = ({ namespaceURI, localName }: XmlElement, space: Namespace, name: string) =>
  namespaceURI === namespaces[space] && localName === name

export const childElementsNamed = (parent: XmlElement, space: Namespace, name: string) =>
  childElements(parent).filter((child) => isElement(child, space, name))

/**
 * The only child with this name.
 *
 * @throws Refusal when there is none or more than one
 */
export function onlyChild(parent: XmlElement, space: Namespace, name: string): XmlElement {
  const found = childElementsNamed(parent, space, name)
  const [only] = found
  if (!only || found.length > 1) throw new Refusal(`${parent.localName} must have one ${name}`)
  return only
}

/**
 * The child with this name, if there is one.
 *
 * @throws Refusal when there is more than one
 */
export const optionalChild = (parent: XmlElement, space: Namespace, name: string) =>
  childElementsNamed(parent, space, name).length === 0 ? undefined : onlyChild(parent, space, name)

/** The value of an attribute; undefined if it is missing. */
export const getAttribute = (node: XmlElement, name: string): string | undefined =>
  node.hasAttribute(name) ? (node.getAttribute(name) ?? undefined) : undefined

/**
 * The trimmed text of an element without child elements.
 *
 * @throws Refusal when it has child elements
 */
export function getText(node: XmlElement): string {
  if (childElements(node).length > 0) throw new Refusal(`${node.localName} must contain only text`)
  return (node.textContent ?? '').trim()
}
