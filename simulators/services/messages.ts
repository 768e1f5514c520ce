import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers with a text. */
export function send(response: ServerResponse, body: string, type = 'text/html', status = 200): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body)
}

/** Sends the browser on. */
export const redirect = (response: ServerResponse, location: string): void =>
  void response.writeHead(303, { location }).end()

/**
 * Sets a cookie of one service; an empty one is removed. SameSite=Lax: another site's form comes without the session, so it
 * can neither sign out nor choose.
 */
export function setCookie(response: ServerResponse, path: string, name: string, value: string): void {
  const end = value === '' ? '; Max-Age=0' : ''
  response.appendHeader('set-cookie', `${name}=${value}; Path=/${path}/; HttpOnly; SameSite=Lax${end}`)
}

/** The value of a cookie. */
export const readCookie = ({ headers }: IncomingMessage, name: string): string | undefined =>
  new RegExp(`(?:^|; )${name}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]

const mostBytes = 64 * 1024

/** Reads a form of at most 64 KB. */
export async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) {
    body += chunk
    if (body.length > mostBytes) throw new Error('too large')
  }
  return body
}
