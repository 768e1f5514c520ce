import { createSign } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { escapeXml, newXmlId } from '#simulators/saml-idp/answer.ts'
import type { TestApp } from '#test/test-app.ts'
import type { Client } from '../client.ts'
import { askCompany, type Company, companyAnswer, deliver } from './company.ts'

/** A company's request to sign somebody out; null values are left out. */
export interface LogoutOf {
  id: string
  issuer: string | null
  destination: string | null
  issueInstant: Date
  notOnOrAfter: Date | null
  nameId: string | null
  sessionIndexes: string[]
}

const rsaSha = (hash: string) => `http://www.w3.org/2001/04/xmldsig-more#rsa-${hash}`

/** The XML of a request. */
export function logoutXml(portal: TestApp, of: Company, changed: Partial<LogoutOf>): string {
  const now = portal.now()
  const request: LogoutOf = {
    id: newXmlId(),
    issuer: of.issuer,
    destination: `http://portal.test/saml/${of.configId}/slo`,
    issueInstant: now,
    notOnOrAfter: new Date(now.getTime() + 60_000),
    nameId: null,
    sessionIndexes: [],
    ...changed,
  }
  const attribute = (name: string, value: string | undefined) =>
    value === undefined ? '' : ` ${name}="${escapeXml(value)}"`
  const element = (name: string, value: string | null) =>
    value === null ? '' : `<${name}>${escapeXml(value)}</${name}>`
  const until = attribute('NotOnOrAfter', request.notOnOrAfter?.toISOString())
  return `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${request.id}" Version="2.0" IssueInstant="${request.issueInstant.toISOString()}"${attribute('Destination', request.destination ?? undefined)}${until}>${element('saml:Issuer', request.issuer)}${element('saml:NameID', request.nameId)}${request.sessionIndexes.map((index) => element('samlp:SessionIndex', index)).join('')}</samlp:LogoutRequest>`
}

interface Sending {
  relayState?: string
  algorithm?: string
  hash?: string
  /** False: not signed at all. */
  signed?: boolean
}

/** The address to which the company sends the browser with this XML. */
export function signedRedirect(
  { configId, key }: Company,
  xml: string,
  { relayState, hash = 'sha256', algorithm = rsaSha(hash), signed = true }: Sending = {},
): string {
  const fields = [
    ['SAMLRequest', deflateRawSync(xml).toString('base64')],
    ...(relayState === undefined ? [] : [['RelayState', relayState]]),
    ...(signed ? [['SigAlg', algorithm]] : []),
  ]
  const query = fields
    .map(([name, value = '']) => `${name}=${encodeURIComponent(value).replaceAll("'", '%27')}`)
    .join('&')
  const signature = createSign(hash).update(query).sign(key.privateKey, 'base64')
  return `/saml/${configId}/slo?${query}${signed ? `&Signature=${encodeURIComponent(signature)}` : ''}`
}

/** The XML of the message in the address that our portal sends the browser to. */
export const messageIn = ({ searchParams }: URL, name: 'SAMLRequest' | 'SAMLResponse') =>
  inflateRawSync(Buffer.from(searchParams.get(name) ?? '', 'base64')).toString()

/** Signs a person in through the company. @returns the browser */
export async function signInThrough(
  portal: TestApp,
  of: Company,
  { nameId, sessionIndex, start }: { nameId: string; sessionIndex?: string; start?: string },
): Promise<Client> {
  const browser = portal.browser()
  const asked = await askCompany(portal, browser, of, start)
  const xml = companyAnswer(of, asked, { nameId }, sessionIndex === undefined ? {} : { sessionIndex })
  await browser.follow(await deliver(portal, of, xml, asked.relayState))
  return browser
}
