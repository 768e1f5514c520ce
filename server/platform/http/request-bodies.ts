import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { isWithinBounds, usualBounds } from './refusals/json-bounds.ts'

const types = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  // RFC 7644, 3.1; Okta sends the second.
  scim: ['application/scim+json', 'application/json'],
} as const

/**
 * Parses request bodies: only the content type that the route declares, in UTF-8, without content encoding. Invalid input
 * is rejected, never repaired, and so are more fields or levels than any call has.
 *
 * @param parseForm parses `a=1&b=2`
 */
export function registerBodyParsers(app: FastifyInstance, parseForm: (text: string) => unknown): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>([...types.scim], { parseAs: 'buffer' }, (request, body, done) => {
    // An unknown path is 404, whatever its body.
    const { route } = request.routeOptions.config
    if (!route) return done(null, undefined)
    const text = decodeUtf8(body)
    if (text === undefined) done(new Problem(400, 'malformedRequest'))
    // A missing body counts as an empty one: the response then names the missing fields.
    else if (text === '') done(null, undefined)
    else if (!isWithinBounds(text, route.bounds ?? usualBounds))
      done(new Problem(400, route.bounds ? 'scimTooMuch' : 'malformedRequest'))
    else parseJson(request, text, done)
  })
  app.addContentTypeParser<Buffer>([...types.form], { parseAs: 'buffer' }, (_, body, done) => {
    const text = decodeUtf8(body)
    if (text === undefined || hasTooManyFields(text)) done(new Problem(400, 'malformedRequest'))
    else done(null, parseForm(text))
  })
  // The hook below rejects other types for declared routes; nothing else reads a body.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { route } = request.routeOptions.config
    const wanted = route && (request.headers['content-type'] !== undefined || hasBody(request))
    const readable = !wanted || isReadable(request, types[route.body ?? (route.access === 'scim' ? 'scim' : 'json')])
    done(readable ? null : new Problem(415, 'unsupportedType'), payload)
  })
}

/** More than any form of ours or of an identity provider has; parsing a body of 120,000 fields would take 0.2 s. */
const maxFields = 1000
const hasTooManyFields = (text: string) => text.split('&', maxFields + 1).length > maxFields

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function isReadable({ headers }: FastifyRequest, wanted: readonly string[]): boolean {
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset))
  return wanted.includes(type ?? '') && isUtf8 && (headers['content-encoding'] ?? 'identity') === 'identity'
}
