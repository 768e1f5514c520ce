import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { html } from '#server/platform/html.ts'
import { readPlainPageStyles } from '#server/platform/http/plain-page.ts'
import type { Directory } from '../directory/directory.ts'
import { listenOnFreePort } from '../listen.ts'
import { answerTo, encodeAnswer, responseXml, type Subject } from './answer.ts'
import { answerPage, type IdpPerson, nothingAskedPage, signInPage } from './idp-pages.ts'
import { languageFor } from './idp-texts.ts'
import { readSignInRequest, type SignInRequest } from './sign-in-request.ts'
import type { SigningKey } from './signed-answer.ts'

export interface IdpOptions {
  /** The name of the company. */
  organization: string
  people: readonly IdpPerson[]
  /** The company's directory, on the same server. */
  directory?: Directory | undefined
  entityId: string
  /** The origin of the only portal that gets responses. */
  portal: string
  clock: () => Date
  /** The preferred port; if it is in use, any free port. */
  port: number
  /** The address to listen on. */
  host: string
}

export interface RunningIdp {
  port: number
  close(): Promise<void>
}

/** A small identity provider that authenticates no one: for the demo and browser tests, never in production. */
export async function startIdp(options: IdpOptions): Promise<RunningIdp> {
  const server = createServer((request, response) => {
    handle(options, request, response).catch(() => response.headersSent || response.writeHead(500).end())
  })
  await listenOnFreePort(server, options)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const pathTo = (name: string) => join(import.meta.dirname, name)
const file = (name: string) => readFileSync(pathTo(name), 'utf8')
const mostBytes = 64 * 1024

async function handle(options: IdpOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (await options.directory?.(request, response)) return
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://idp')
  const send = (type: string, body: string) =>
    response
      .writeHead(200, {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-store',
        'content-security-policy':
          "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
      })
      .end(body)
  switch (`${request.method} ${pathname}`) {
    case 'GET /idp.css':
      return void send('text/css', await readPlainPageStyles(pathTo('../card.css'), pathTo('idp.css')))
    case 'GET /post.js':
      return void send('text/javascript', file('post.js'))
    case 'GET /metadata':
      return void send('application/samlmetadata+xml', metadataXml(options, request.headers.host))
    case 'GET /':
    case 'GET /sso':
      return void send('text/html', ask(options, request, searchParams))
    case 'POST /sso':
      return void send('text/html', await answer(options, request, new URLSearchParams(await bodyOf(request))))
    default:
      response.writeHead(404).end()
  }
}

const viewFor = ({ organization }: IdpOptions, { headers }: IncomingMessage) => ({
  organization,
  language: languageFor(headers['accept-language']),
})

/** Reads a request of the configured portal; requests of others get no response. */
function asked({ portal }: IdpOptions, fields: URLSearchParams): SignInRequest | undefined {
  const request = readSignInRequest(fields)
  return request && URL.parse(request.acsUrl)?.origin === portal ? request : undefined
}

function ask(options: IdpOptions, request: IncomingMessage, fields: URLSearchParams): string {
  const view = viewFor(options, request)
  const signIn = asked(options, fields)
  return signIn ? signInPage(signIn, options.people, view) : nothingAskedPage(view)
}

async function answer(options: IdpOptions, request: IncomingMessage, fields: URLSearchParams): Promise<string> {
  const view = viewFor(options, request)
  const signIn = asked(options, fields)
  if (!signIn) return nothingAskedPage(view)
  // The first sign-in loads the signing code, so that it does not delay the start of the portal.
  const { signedAnswer } = await import('./signed-answer.ts')
  const { acsUrl, requestId, issuer: audience, relayState } = signIn
  const { entityId, clock } = options
  const question = { requestId, acsUrl, audience, issuer: entityId, now: clock() }
  const xml = fields.has('cancel')
    ? responseXml({ ...answerTo(question, { nameId: '' }), status: 'Responder' }, '')
    : signedAnswer(answerTo(question, subjectOf(options, fields)), { key: demoKey(), assertion: true, response: true })
  return answerPage({ acsUrl, relayState, answer: encodeAnswer(xml) }, view)
}

function subjectOf({ people }: IdpOptions, fields: URLSearchParams): Subject {
  const picked = people.find(({ email }) => email === fields.get('person'))
  const email = picked?.email ?? fields.get('email') ?? ''
  const ssn = picked ? picked.ssn : fields.get('ssn')
  return { nameId: email, attributes: { mail: email, ...(ssn ? { personalIdentityNumber: ssn } : {}) } }
}

/** SAML metadata, like that of a real identity provider. */
function metadataXml({ entityId }: IdpOptions, host = ''): string {
  const certificate = demoKey().certificate.replaceAll(/-----[^-]+-----|\s/g, '')
  return `<?xml version="1.0" encoding="UTF-8"?>
${
  html`<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}">
  <md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</md:NameIDFormat>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="http://${host}/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`.html
}
`
}

const demoKey = (): SigningKey => ({ privateKey: file('key.pem'), certificate: file('certificate.pem') })

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > mostBytes) throw new Error('too large')
  }
  return body
}
