import { STATUS_CODES } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html } from '../../html.ts'
import { translate } from '../../messages/texts.ts'
import { detectLanguage } from '../request-language.ts'

/**
 * Bytes of a response's status line and headers together, at most (security 172). nginx has a buffer of this size for them
 * unless told otherwise, answers 502 when they do not fit, and counts that as a failure of the node.
 */
export const maxResponseHeaders = 4096
/** For what is written after this: date, connection, length or encoding of the body, `vary`; and what proxies add. */
const reserve = 400

type Headers = Record<string, number | string | string[] | undefined>

const lengthOf = (headers: Headers, status: number): number =>
  Object.entries(headers)
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}\r\n`.length))
    .reduce((sum, length) => sum + length, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n\r\n`.length)

const fits = (headers: Headers, status: number) => lengthOf(headers, status) < maxResponseHeaders - reserve

/** What becomes of a response whose headers are too long. */
type Fitted =
  /** These headers leave: the body says where the browser goes. */
  | { without: 'location' | 'refresh'; address: string }
  /** Nothing that may leave is long enough: a defect. */
  | { error: Error }

/** @returns undefined where the headers are short enough */
export function fitHeaders(status: number, headers: Headers): Fitted | undefined {
  if (fits(headers, status)) return undefined
  const { location, refresh, ...others } = headers
  if (fits(others, status)) {
    if (location !== undefined && status >= 300 && status < 400)
      return { without: 'location', address: String(location) }
    if (refresh !== undefined) return { without: 'refresh', address: String(refresh) }
  }
  const longest = Object.keys(headers).filter((name) => String(headers[name]).length > 500)
  return { error: new Error(`headers of ${lengthOf(headers, status)} bytes: ${longest.join(', ')}`) }
}

/** The page that leads on where the address is too long for a header. */
export function leadOnPage(request: Pick<FastifyRequest, 'cookies' | 'headers' | 'query'>, address: string): string {
  const language = detectLanguage(request)
  const text = translate(language, 'continue')
  return `<!doctype html>${
    html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${`0;url=${address}`}"><title>${text}</title></head>
<body><p><a href="${address}">${text}</a></p></body></html>`.html
  }`
}

/** Keeps the headers of every response short, whatever a caller sends. */
export function limitResponseHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const fitted = fitHeaders(reply.statusCode, reply.getHeaders() as Headers)
    if (!fitted) return done(null, payload)
    if ('error' in fitted) {
      for (const name of ['location', 'refresh', 'set-cookie', 'content-disposition', 'content-security-policy'])
        reply.removeHeader(name)
      return done(fitted.error)
    }
    reply.removeHeader(fitted.without)
    if (fitted.without === 'location') {
      reply.code(200).type('text/html; charset=utf-8')
      return done(null, leadOnPage(request, fitted.address))
    }
    const refresh = html`<head><meta http-equiv="refresh" content="${fitted.address}">`.html
    done(null, typeof payload === 'string' ? payload.replace('<head>', () => refresh) : payload)
  })
}
