import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod/mini'
import { phoneAppAction, phoneAppView } from '#contract/dev-bankid/dev-bankid.ts'
import type { PhoneApp } from '#server/bankid/phone-app.ts'
import { readPlainPageStyles } from '#server/platform/http/plain-page.ts'

// The form that identifies redirects to the portal, which is another origin.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'self' http: https:"

/** Serves the phone app separately, for a simulator that several portal processes share. */
export async function servePhoneApp(app: PhoneApp, port = 0) {
  const { path } = app
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://simulator.invalid')
    const send = (type: string, body: string) => response.writeHead(200, { ...headers, 'content-type': type }).end(body)
    const goTo = (location: string) => response.writeHead(303, { location }).end()
    // Refuse requests from pages of other origins.
    if (request.method === 'POST' && request.headers['sec-fetch-site'] !== 'same-origin')
      return response.writeHead(403).end()
    switch (`${request.method} ${pathname}`) {
      case 'GET /':
        return goTo(path)
      case `GET ${path}`: {
        const query = z.parse(phoneAppView, Object.fromEntries(searchParams))
        const shown = app.show(query, request.headers['accept-language']?.slice(0, 2) ?? 'sv')
        return 'html' in shown ? send('text/html; charset=utf-8', shown.html) : goTo(shown.goTo)
      }
      case `POST ${path}`: {
        const input = z.safeParse(phoneAppAction, await readForm(request))
        return input.success ? goTo(app.act(input.data)) : response.writeHead(422).end()
      }
      case `GET ${path}/waiting`:
        return send('application/json', JSON.stringify(app.waiting()))
      case `GET ${path}.css`:
        return send('text/css; charset=utf-8', await readPlainPageStyles(...app.styles))
      case `GET ${path}.js`:
        return send('text/javascript; charset=utf-8', await read(app.script))
      default:
        return response.writeHead(404).end()
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}${path}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const headers = { 'content-security-policy': policy, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const read = (file: string) => readFile(file, 'utf8')

async function readForm(request: IncomingMessage): Promise<Record<string, string>> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return Object.fromEntries(new URLSearchParams(body))
}
