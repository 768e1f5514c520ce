import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'
import { Refusal } from './refusal.ts'
import { childElementsNamed, getAttribute, onlyChild, type XmlElement } from './xml.ts'

const prefix = 'urn:oasis:names:tc:SAML:2.0:status:'

/** What the second status code says (SAML Core, 3.2.2.2), in our words. */
const reasons: Readonly<Record<string, { says: string; failure?: SamlFailure }>> = {
  AuthnFailed: { says: 'it could not authenticate the person', failure: 'authnFailed' },
  InvalidNameIDPolicy: {
    says: 'it does not have the format of the NameID that was asked for',
    failure: 'nameIdPolicy',
  },
  NoAuthnContext: { says: 'it does not have the authentication context that was asked for', failure: 'noAuthnContext' },
  NoAvailableIDP: { says: 'none of the identity providers behind it is available' },
  NoPassive: { says: 'it would have had to ask the person' },
  NoSupportedIDP: { says: 'it supports none of the identity providers behind it' },
  RequestDenied: { says: 'it does not answer this request', failure: 'requestDenied' },
  RequestUnsupported: { says: 'it does not support the request', failure: 'requestDenied' },
  UnknownPrincipal: { says: 'it does not know the person', failure: 'authnFailed' },
  UnsupportedBinding: { says: 'it does not support the binding that was asked for', failure: 'requestDenied' },
}
const classes: Readonly<Record<string, string>> = {
  Requester: 'it finds a mistake in the request',
  Responder: 'it has a problem of its own',
  VersionMismatch: 'it does not support the version of the request',
}

/** @throws Refusal with what the status says, where it is not success */
export function ensureSuccess(response: XmlElement): void {
  const code = onlyChild(onlyChild(response, 'protocol', 'Status'), 'protocol', 'StatusCode')
  const first = getAttribute(code, 'Value') ?? ''
  if (first === `${prefix}Success`) return
  const [second] = childElementsNamed(code, 'protocol', 'StatusCode')
  const name = nameOf(second && getAttribute(second, 'Value'))
  const { says, failure = 'declined' } = own(reasons, name) ?? { says: own(classes, nameOf(first)) }
  const because = says && `: ${says}${own(reasons, name) ? ` (${name})` : ''}`
  throw new Refusal(`the identity provider did not sign the person in${because ?? ''}`, {
    key: 'samlDeclined',
    failure,
  })
}

const nameOf = (value = '') => (value.startsWith(prefix) ? value.slice(prefix.length) : '')
const own = <Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined
