import { randomUUID } from 'node:crypto'
import { type RequestListener, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { MessageKey } from '#contract/message-key.ts'
import type { RenderProblemPage } from './render-problem-page.ts'

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Answers what Node rejects before a request exists (malformed, oversized headers, too slow) in our error format. */
export const createClientErrorHandler =
  (headers: Record<string, string>, renderPage: RenderProblemPage) =>
  ({ code = '', rawPacket }: { code?: string; rawPacket?: unknown }, socket: Socket): void => {
    if (code === 'ECONNRESET' || !socket.writable) return
    const status = statuses[code] ?? 400
    const key = status === 431 ? 'headersTooLarge' : 'malformedRequest'
    const asked = readPageRequest(Buffer.isBuffer(rawPacket) ? rawPacket : undefined)
    const page = asked && renderPage(asked as unknown as FastifyRequest, status, key)
    const { head, body } = createErrorResponse(headers, key, { id: asked?.id, page })
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }

/** The same for an unsupported `Expect` header. */
export const createExpectationHandler =
  (headers: Record<string, string>): RequestListener =>
  (_, response) => {
    const { head, body } = createErrorResponse(headers, 'malformedRequest')
    response.writeHead(417, head).end(body)
  }

/** Of the part that was read: what a page needs to know of the browser; undefined for a program. */
function readPageRequest(packet: Buffer | undefined) {
  // Cookies stand behind these headers, or fill the packet.
  const head = packet?.toString('latin1', 0, 8192) ?? ''
  const read = (name: string) => new RegExp(`^${name}: *([^\\r\\n]*)`, 'im').exec(head)?.[1]
  if (!read('accept')?.includes('text/html') || / \/api\//.test(head.split('\r\n', 1)[0] ?? '')) return undefined
  const headers = { accept: 'text/html', 'accept-language': read('accept-language') }
  return { id: randomUUID(), headers, cookies: {}, query: {}, url: '/', method: 'GET' }
}

function createErrorResponse(
  headers: Record<string, string>,
  message: MessageKey,
  { id: requestId = randomUUID(), page }: { id?: string | undefined; page?: string | undefined } = {},
) {
  const body = page ?? JSON.stringify({ message, requestId })
  const head = {
    ...headers,
    'x-request-id': requestId,
    'content-type': page === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  return { head, body }
}
