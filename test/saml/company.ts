import { inflateRawSync } from 'node:zlib'
import { type Answer, answerTo, encodeAnswer, type Question, type Subject } from '#simulators/saml-idp/answer.ts'
import { type SigningKey, signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import type { Client } from '#test/client.ts'
import { openSignIn } from '#test/sign-in.ts'
import type { TestApp } from '#test/test-app.ts'
import { selfSigned } from './certificate.ts'

/** A customer with an identity provider of its own. */
export interface Company {
  configId: number
  mailDomain: string
  issuer: string
  key: SigningKey
}

interface Options {
  key?: SigningKey
  /** What the configuration holds, when it is not the key's own certificate. */
  certificate?: string
  entityId?: string | null
  wantAssertionsSigned?: boolean
  wantAuthnResponseSigned?: boolean
}

let companies = 0

/** A configuration of company sign-in, and the one who signs for it. */
export async function company(portal: TestApp, options: Options = {}): Promise<Company> {
  const mailDomain = `company${++companies}.example`
  const issuer = `https://idp.${mailDomain}/metadata`
  const key = options.key ?? selfSigned({ name: mailDomain })
  const { id } = await portal.system.db
    .insertInto('samlConfigs')
    .values({
      name: mailDomain,
      domain: `https://${mailDomain}`,
      url: `https://idp.${mailDomain}/sso`,
      entityId: options.entityId === undefined ? issuer : options.entityId,
      certificate: options.certificate ?? key.certificate,
      wantAssertionsSigned: options.wantAssertionsSigned ?? null,
      wantAuthnResponseSigned: options.wantAuthnResponseSigned ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { configId: id, mailDomain, issuer, key }
}

let people = 0

/** Somebody who signs in through the company. */
export const employee = (portal: TestApp, of: Company, options: Parameters<TestApp['person']>[0] = {}) =>
  portal.person({
    email: `employee${++people}@${of.mailDomain}`,
    loginMethod: 'saml',
    samlConfigId: of.configId,
    ...options,
  })

/** A browser that was sent to the company, and what it brings there. */
export interface Asked extends Question {
  uid: string
  relayState: string
  /** Where the browser was sent. */
  sentTo: URL
  /** What it was sent with. */
  request: string
}

/** Begins a sign-in and goes as far as the identity provider's door. */
export async function askCompany(portal: TestApp, browser: Client, of: Company, start = '/login'): Promise<Asked> {
  const { page, uid } = await openSignIn(browser, start)
  const email = `somebody@${of.mailDomain}`
  const response = await browser.get(`${page}/saml?${new URLSearchParams({ email })}`, { accept: 'text/html' })
  const sentTo = new URL(String(response.headers.location))
  const request = requestIn(sentTo)
  const read = (pattern: RegExp) => pattern.exec(request)?.[1] ?? ''
  return {
    uid,
    sentTo,
    request,
    relayState: sentTo.searchParams.get('RelayState') ?? '',
    requestId: read(/ ID="([^"]+)"/),
    acsUrl: read(/ AssertionConsumerServiceURL="([^"]+)"/),
    audience: read(/<(?:\w+:)?Issuer\b[^>]*>([^<]+)</),
    issuer: of.issuer,
    now: portal.now(),
  }
}

/** The XML that a browser was sent with. */
export const requestIn = ({ searchParams }: URL) =>
  inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()

/** The answer that the company would give, signed by it. */
export function companyAnswer(of: Company, asked: Asked, subject: Subject, changed: Partial<Answer> = {}): string {
  return signedAnswer({ ...answerTo(asked, subject), ...changed }, { key: of.key, assertion: true })
}

/** What the company's page makes a browser post. No cookie of ours is on it: it comes from another site. */
export function deliver(portal: TestApp, of: Company, xml: string, relayState: string) {
  return portal
    .browser()
    .submit(
      `/saml/${of.configId}/acs`,
      { SAMLResponse: encodeAnswer(xml), RelayState: relayState },
      { 'sec-fetch-site': 'cross-site', origin: new URL(of.issuer).origin },
    )
}
