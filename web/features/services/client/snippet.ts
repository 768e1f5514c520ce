/** What of a client stands in a snippet. */
export interface Values {
  issuer: string
  discovery: string
  clientId: string
  redirectUri: string
  /** The path of the redirect address. */
  path: string
  /** Of the redirect address; undefined where it names none. */
  port: string | undefined
  scope: string
  /** Undefined for a client that keeps none. */
  secret: string | undefined
  /** It has a private key in place of a secret. */
  key: boolean
  pkce: boolean
  /** The portal of a developer has no TLS. */
  insecure: boolean
}
/** A program that signs people in. */
export interface Snippet {
  name: string
  text: (values: Values) => string
}

/** Joins the lines that are there. */
export const present = (...lines: (string | false | undefined)[]) =>
  lines.filter((line) => typeof line === 'string').join('\n')
