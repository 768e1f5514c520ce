import { strongKeys } from '../secrets/strong-keys.ts'
import type { Outgoing } from './outgoing.ts'

/**
 * Calls of an OpenID library in the form of `fetch`: what is posted has the use given, the rest reads discovery and keys. Weak keys
 * of a set are left out, whoever reads it.
 *
 * @param outsider whether someone without an account named the provider: hosts that the operator allows are refused too
 */
export const createOutgoingFetch =
  (outgoing: Outgoing, posted: 'logout' | 'token' = 'logout', outsider = false) =>
  async (address: string | URL, { method, headers, body, signal }: RequestInit): Promise<Response> => {
    const answer = await outgoing.call(String(address), {
      ...(method === 'POST' ? { use: posted, method, body: String(body) } : { use: 'jwks' }),
      headers: Object.fromEntries(new Headers(headers)),
      signal: signal ?? undefined,
      outsider,
    })
    const read = method === 'POST' ? answer.body : withoutWeakKeys(answer.body)
    return new Response(read.length > 0 ? new Uint8Array(read) : null, {
      status: answer.status,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    })
  }

function withoutWeakKeys(body: Buffer): Buffer {
  try {
    const { keys, ...set } = JSON.parse(body.toString())
    return Array.isArray(keys) ? Buffer.from(JSON.stringify({ ...set, keys: strongKeys(keys) })) : body
  } catch {
    return body
  }
}
