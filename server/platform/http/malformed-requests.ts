import { randomUUID } from 'node:crypto'
import { type RequestListener, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { MessageKey } from '#contract/message-key.ts'

const statuses: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Answers what Node rejects before a request exists (malformed, oversized headers, too slow) in our error format. */
export const createClientErrorHandler =
  (headers: Record<string, string>) =>
  ({ code = '' }: { code?: string }, socket: Socket): void => {
    if (code === 'ECONNRESET' || !socket.writable) return
    const status = statuses[code] ?? 400
    const { head, body } = createErrorResponse(headers, status === 431 ? 'tooLarge' : 'malformedRequest')
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

function createErrorResponse(headers: Record<string, string>, message: MessageKey) {
  const requestId = randomUUID()
  const body = JSON.stringify({ message, requestId })
  const head = {
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    connection: 'close',
  }
  return { head, body }
}
