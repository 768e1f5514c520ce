import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { readPlainPageStyles } from '#server/platform/http/plain-page.ts'
import { languageFor } from '../saml-idp/idp-texts.ts'
import { readBody, redirect, send } from '../services/messages.ts'
import { directoryPage } from './directory-page.ts'
import { createScimClient, type ScimClient } from './scim-client.ts'

export interface DirectoryOptions {
  organization: string
  organizationId: string
  mailDomain: string
  /** The portal's origin. */
  portal: string
  /** Of the organisation's directory, for the portal. */
  token: string
}

/** Answers a request that is about the directory. @returns false for any other */
export type Directory = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/** A small directory beside the company's identity provider, which sends its people to the portal: for the demo alone. */
export function createDirectory(options: DirectoryOptions): Directory {
  const client = createScimClient(options)
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://directory')
    if (!/^\/directory(\.css$|\/|$)/.test(pathname)) return false
    response.setHeader('cache-control', 'no-store')
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    await answer(options, client, request, response, pathname)
    return true
  }
}

const pathTo = (name: string) => join(import.meta.dirname, name)

async function answer(
  options: DirectoryOptions,
  client: ScimClient,
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<void> {
  if (pathname === '/directory.css')
    return send(response, await readPlainPageStyles(pathTo('../card.css'), pathTo('directory.css')), 'text/css')
  if (request.method === 'GET' && pathname === '/directory') return show(options, client, request, response)
  const act = request.method === 'POST' ? acts[pathname] : undefined
  if (!act) return void response.writeHead(404).end()
  // A form of another site changes nothing here.
  if (!['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site']?.toString()))
    return void response.writeHead(403).end()
  await act(client, new URLSearchParams(await readBody(request)))
  redirect(response, '/directory')
}

async function show(
  { organization, organizationId, mailDomain, portal }: DirectoryOptions,
  client: ScimClient,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const people = await client.people()
  const language = languageFor(headers['accept-language'])
  const inPortal = `${portal}/organization-directory/${organizationId}`
  send(response, directoryPage({ organization, mailDomain, language, people, sent: client.sent(), inPortal }))
}

const acts: Record<string, (client: ScimClient, form: URLSearchParams) => Promise<unknown>> = {
  '/directory/add': (client, form) => client.add({ ...namesIn(form), email: form.get('email') ?? '' }),
  '/directory/change': async (client, form) => {
    const person = (await client.people())?.find(({ id }) => id === form.get('id'))
    if (person) await client.change({ ...person, ...namesIn(form) })
  },
  '/directory/active': async (client, form) => {
    const person = (await client.people())?.find(({ id }) => id === form.get('id'))
    if (person) await client.setActive(person.id, form.get('active') === 'yes')
  },
}

const namesIn = (form: URLSearchParams) => ({
  givenName: form.get('givenName') ?? '',
  familyName: form.get('familyName') ?? '',
})
