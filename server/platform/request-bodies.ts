import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

const types = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const

/**
 * Reads bodies: the one kind that a call declares, in UTF-8, unpacked. Nothing is replaced or repaired in silence.
 *
 * @param parseForm what turns `a=1&b=2` into fields
 */
export function readRequestBodies(app: FastifyInstance, parseForm: (text: string) => unknown): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>(types.json, { parseAs: 'buffer' }, (request, body, done) => {
    // An address that does not exist is a missing one, whatever is sent there.
    if (!request.routeOptions.config.route) return done(null, undefined)
    const text = decoded(body)
    if (text === undefined) done(new Problem(400, 'malformedRequest'))
    // No body is an empty one: the answer then names the fields that are missing.
    else if (text === '') done(null, undefined)
    else parseJson(request, text, done)
  })
  app.addContentTypeParser<Buffer>(types.form, { parseAs: 'buffer' }, (_, body, done) => {
    const text = decoded(body)
    if (text === undefined) done(new Problem(400, 'malformedRequest'))
    else done(null, parseForm(text))
  })
  // Calls refuse every other type below, and nothing else takes a body.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { route } = request.routeOptions.config
    const wanted = route && (request.headers['content-type'] !== undefined || hasBody(request))
    const readable = !wanted || isReadable(request, types[route.body ?? 'json'])
    done(readable ? null : new Problem(415, 'unsupportedType'), payload)
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decoded(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function isReadable({ headers }: FastifyRequest, wanted: string): boolean {
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset))
  return type === wanted && isUtf8 && (headers['content-encoding'] ?? 'identity') === 'identity'
}
