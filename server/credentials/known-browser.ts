import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { knownCookie, knownPrefix, knownValue, readKnownBrowser } from '#server/platform/limits/known-browsers.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'

// Seconds; as long as the signing key is kept. Every sign-in renews it.
const lifetime = 30 * 24 * 3600
// Keeps the cookies of a shared browser within the limit for request headers.
const maxPeople = 5

/**
 * Identifies a browser that has signed in to this account before. It has its own limit for wrong passwords, so an attacker
 * elsewhere cannot lock the owner out, and nor can colleagues behind the same address (security 13). It proves nothing else.
 */
export const knownBrowser = (
  request: FastifyRequest,
  context: { config: Config; keys: Keys },
  email: string,
): string | undefined => readKnownBrowser(request, context, knownCookie(context.config, email))

const provenPrefix = 'proven-'

/** The same, of a browser in which more than a password has been proven to this account: a stolen one makes no further budgets. */
export function provenBrowser(
  request: FastifyRequest,
  context: { config: Config; keys: Keys },
  email: string,
): string | undefined {
  const name = knownBrowser(request, context, email)
  return name?.startsWith(provenPrefix) ? name : undefined
}

/**
 * Marks this browser as known to the account.
 *
 * @param amr what was proven in it
 */
export function rememberBrowser(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  context: { config: Config; keys: Keys },
  email: string,
  amr: readonly string[],
): void {
  const { config } = context
  const own = knownCookie(config, email)
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: config.baseUrl.startsWith('https:') } as const
  const others = Object.keys(request.cookies).filter((name) => name.startsWith(knownPrefix(config)) && name !== own)
  for (const name of others.slice(maxPeople - 1)) reply.clearCookie(name, options)
  const proven = amr.includes('mfa') || amr.includes('fed')
  const name =
    (proven ? provenBrowser : knownBrowser)(request, context, email) ??
    `${proven ? provenPrefix : ''}${generateToken()}`
  reply.setCookie(own, knownValue(context, own, name), { ...options, maxAge: lifetime })
}
