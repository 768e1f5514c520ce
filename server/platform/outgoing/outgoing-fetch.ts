import type { Outgoing } from './outgoing.ts'

/**
 * Calls of an OpenID library in the form of `fetch`: what is posted has the use given, the rest reads discovery and keys.
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
    return new Response(answer.body.length > 0 ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    })
  }
