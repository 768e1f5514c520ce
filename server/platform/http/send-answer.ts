import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { PublicImage, Route, TextFile } from '#contract/route.ts'

const fileTypes = {
  csv: { name: 'text/csv; charset=utf-8', extension: 'csv' },
  jsonLines: { name: 'application/jsonl; charset=utf-8', extension: 'jsonl' },
  json: { name: 'application/json; charset=utf-8', extension: 'json' },
  page: { name: 'text/html; charset=utf-8', extension: 'html' },
}

/** Sends the result of a use case as its route declares. */
export function sendAnswer(route: Route, result: unknown, reply: FastifyReply): unknown {
  if (reply.sent) return reply
  switch (route.answer) {
    case 'nothing':
      return reply.code(204).send()
    case 'redirect':
      return reply.redirect(result as string, 303)
    case 'html':
      // A handler may have set another content type.
      if (!reply.hasHeader('content-type')) reply.type('text/html; charset=utf-8')
      return reply.send(result)
    case 'png':
      // Its address holds its hash. `private`: only people who are signed in get it.
      return reply
        .header('cache-control', 'private, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type('image/png')
        .send(result)
    case 'publicImage': {
      // Its address holds its hash. Mail programs show it on other origins.
      const { type, bytes } = result as PublicImage
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cross-origin-resource-policy', 'cross-origin')
        .type(type)
        .send(bytes)
    }
    case 'csv':
    case 'jsonLines':
    case 'json':
    case 'page': {
      const { fileName, lines } = result as TextFile
      const type = fileTypes[route.answer]
      const name = encodeURIComponent(shortName(fileName)).replaceAll(
        /['()*]/g,
        (sign) => `%${sign.charCodeAt(0).toString(16)}`,
      )
      reply.header('content-disposition', `attachment; filename="export.${type.extension}"; filename*=UTF-8''${name}`)
      return reply.type(type.name).send(Readable.from(lines))
    }
    default:
      return reply.code(route.status ?? 200).send(result)
  }
}

/** In a header every character may take nine. The extension stays. */
function shortName(fileName: string): string {
  const [, name = fileName, extension = ''] = /^(.*?)(\.[a-z]{1,10})?$/su.exec(fileName) ?? []
  return [...name.toWellFormed()].slice(0, 80).join('') + extension
}
