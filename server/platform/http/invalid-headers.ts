import type { FastifyReply } from 'fastify'

/** Removes headers with characters that Node cannot send, and returns an error if there were any. */
export function removeInvalidHeaders(reply: FastifyReply): Error | undefined {
  const invalid = Object.entries(reply.getHeaders()).filter(([, value]) =>
    [value].flat().some((one) => /[^\t\u0020-\u007e\u0080-\u00ff]/.test(String(one))),
  )
  for (const [name] of invalid) reply.removeHeader(name)
  return invalid.length > 0 ? new Error(`invalid characters in headers: ${invalid.map(([name]) => name)}`) : undefined
}
