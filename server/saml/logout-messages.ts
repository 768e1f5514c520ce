import { html as xml } from '#server/platform/html.ts'
import { ensure } from './refusal.ts'
import type { SamlSubject } from './subject.ts'
import { type At, ensureIssued, optionalMoment } from './times.ts'
import { childElementsNamed, getAttribute, getText, isElement, onlyChild, parseXml } from './xml.ts'

/** What a request to sign out must contain to be accepted. */
interface Expected extends At {
  /** The identity provider's entity id, if configured. */
  entityId: string | null
  /** Our own address for it. */
  destination: string
}

/** A request of an identity provider to sign somebody out. */
export interface LogoutRequest {
  id: string
  nameId: string
  /** Empty: every session of the person. */
  sessionIndexes: string[]
  /** From then on it is refused for its age. */
  overAt: Date
}

/** How old a request may be, in milliseconds. */
const maxAge = 5 * 60_000

/**
 * Reads a request to sign out (SAML Core, 3.7.1), whose signature was verified.
 *
 * @throws Refusal
 */
export function readLogoutRequest(text: string, { entityId, destination, now, clockSkew }: Expected): LogoutRequest {
  const request = parseXml(text)
  ensure(isElement(request, 'protocol', 'LogoutRequest'), 'the request is not to sign out')
  ensure(getAttribute(request, 'Version') === '2.0', 'the request is not of SAML 2.0')
  const id = getAttribute(request, 'ID')
  ensure(id, 'the request has no id')
  ensure(getAttribute(request, 'Destination') === destination, 'the request is for another address', 'destination')
  const issuer = getText(onlyChild(request, 'assertion', 'Issuer'))
  ensure(entityId === null || issuer === entityId, 'the request is of another issuer', 'issuer')
  ensureIssued(request, { now, clockSkew })
  const issued = optionalMoment(request, 'IssueInstant')
  const until = optionalMoment(request, 'NotOnOrAfter')
  ensure(issued, 'the request has no time')
  const overAt = new Date(Math.min(issued.getTime() + maxAge, until?.getTime() ?? Number.POSITIVE_INFINITY) + clockSkew)
  ensure(now < overAt, 'the request is not valid any more', 'clock')
  const nameId = getText(onlyChild(request, 'assertion', 'NameID'))
  ensure(nameId, 'the request names no person')
  return { id, nameId, sessionIndexes: childElementsNamed(request, 'protocol', 'SessionIndex').map(getText), overAt }
}

interface Reply {
  id: string
  inResponseTo: string
  destination: string
  issuer: string
  now: Date
}

/** The answer to a request to sign out: it was done. */
export const logoutResponseXml = ({ id, inResponseTo, destination, issuer, now }: Reply): string =>
  xml`<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${now.toISOString()}" Destination="${destination}" InResponseTo="${inResponseTo}"><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status></samlp:LogoutResponse>`
    .html

/** Our request that a person is signed out at the identity provider, too. */
export const logoutRequestXml = (
  { nameId, format, nameQualifier, spNameQualifier, sessionIndex }: SamlSubject,
  { id, destination, issuer, now }: Omit<Reply, 'inResponseTo'>,
): string =>
  xml`<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${id}" Version="2.0" IssueInstant="${now.toISOString()}" Destination="${destination}" NotOnOrAfter="${new Date(now.getTime() + maxAge).toISOString()}"><saml:Issuer>${issuer}</saml:Issuer><saml:NameID${attribute('NameQualifier', nameQualifier)}${attribute('SPNameQualifier', spNameQualifier)}${attribute('Format', format)}>${nameId}</saml:NameID>${
    sessionIndex && xml`<samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex>`
  }</samlp:LogoutRequest>`.html

const attribute = (name: string, value: string | undefined) => value !== undefined && xml` ${name}="${value}"`
