import { inflateRawSync } from 'node:zlib'
import { newId } from '#server/platform/ids.ts'
import { type Answer, answerTo, encodeAnswer, type Question, type Subject } from '#simulators/saml-idp/answer.ts'
import { type SigningKey, signedAnswer } from '#simulators/saml-idp/signed-answer.ts'
import type { Client } from '#test/client.ts'
import { openSignIn } from '#test/sign-in.ts'
import type { TestApp } from '#test/test-app.ts'
import { selfSigned } from './certificate.ts'

/** A customer with its own identity provider. */
export interface Company {
  configId: number
  /** The organisation whose people sign in this way. */
  organizationId: string
  mailDomain: string
  issuer: string
  key: SigningKey
}

interface Options {
  key?: SigningKey
  /** The certificate in the configuration, if not that of the key. */
  certificate?: string
  entityId?: string | null
  wantAssertionsSigned?: boolean
  wantAuthnResponseSigned?: boolean
  assertsNumbers?: boolean
}

let companies = 0

/** Creates a SAML configuration with its signing key. */
export async function company(portal: TestApp, options: Options = {}): Promise<Company> {
  const mailDomain = `company${++companies}.example`
  // A name cannot be a web address.
  const name = `Company ${companies}`
  const issuer = `https://idp.${mailDomain}/metadata`
  const key = options.key ?? selfSigned({ name: mailDomain })
  const { id } = await portal.system.db
    .insertInto('samlConfigs')
    .values({
      name,
      domain: `https://${mailDomain}`,
      url: `https://idp.${mailDomain}/sso`,
      entityId: options.entityId === undefined ? issuer : options.entityId,
      certificate: options.certificate ?? key.certificate,
      wantAssertionsSigned: options.wantAssertionsSigned ?? null,
      wantAuthnResponseSigned: options.wantAuthnResponseSigned ?? null,
      assertsNumbers: options.assertsNumbers ?? false,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const organizationId = newId()
  await portal.system.db
    .insertInto('organizations')
    .values({ organizationId, name, loginMethod: 'saml', samlConfigId: id })
    .execute()
  return { configId: id, organizationId, mailDomain, issuer, key }
}

let people = 0

/** Creates a person who signs in through the company. */
export async function employee(portal: TestApp, of: Company, options: Parameters<TestApp['person']>[0] = {}) {
  const person = await portal.person({
    email: `employee${++people}@${of.mailDomain}`,
    loginMethod: 'saml',
    samlConfigId: of.configId,
    ...options,
  })
  await portal.join(person.accountId, of.organizationId)
  return person
}

/** A browser that was redirected to the company, and the request that it carries. */
export interface Asked extends Question {
  uid: string
  relayState: string
  /** The address of the redirect. */
  sentTo: URL
  /** The request's XML. */
  request: string
}

/** Starts a sign-in and follows it to the redirect to the identity provider. */
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

/** The XML of the request in a redirect. */
export const requestIn = ({ searchParams }: URL) =>
  inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()

/** The company's signed response. */
export function companyAnswer(of: Company, asked: Asked, subject: Subject, changed: Partial<Answer> = {}): string {
  return signedAnswer({ ...answerTo(asked, subject), ...changed }, { key: of.key, assertion: true })
}

/** Posts the response as the company's page does. It carries no cookies of ours, because it comes from another site. */
export function deliver(portal: TestApp, of: Company, xml: string, relayState: string) {
  return portal
    .browser()
    .submit(
      `/saml/${of.configId}/acs`,
      { SAMLResponse: encodeAnswer(xml), RelayState: relayState },
      { 'sec-fetch-site': 'cross-site', origin: new URL(of.issuer).origin },
    )
}
