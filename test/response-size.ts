import type { LightMyRequestResponse } from 'fastify'

/** Bytes of the status line and the headers of a response, as they are written to the connection. */
export const headerBytes = ({ headers, statusCode, statusMessage }: LightMyRequestResponse): number =>
  Object.entries(headers)
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => `${name}: ${one}\r\n`.length))
    .reduce((sum, length) => sum + length, `HTTP/1.1 ${statusCode} ${statusMessage}\r\n\r\n`.length)
