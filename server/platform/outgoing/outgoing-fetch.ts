import type { Outgoing } from './outgoing.ts'

/** The OpenID Provider's calls to clients' addresses, in the form of `fetch`: sign-outs are posted, the rest reads keys. */
export const createOutgoingFetch =
  (outgoing: Outgoing) =>
  async (address: string | URL, { method, headers, body, signal }: RequestInit): Promise<Response> => {
    const answer = await outgoing.call(String(address), {
      ...(method === 'POST' ? { use: 'logout', method, body: String(body) } : { use: 'jwks' }),
      headers: Object.fromEntries(new Headers(headers)),
      signal: signal ?? undefined,
    })
    return new Response(answer.body.length > 0 ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
    })
  }
