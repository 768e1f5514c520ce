import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { generateToken } from '#server/platform/secrets/tokens.ts'

// Seconds; as long as the signing key is kept. Every sign-in renews it.
const lifetime = 30 * 24 * 3600
// Keeps the cookies of a shared browser within the limit for request headers.
const maxPeople = 5

const secure = (config: Config) => config.baseUrl.startsWith('https:')
const prefix = (config: Config) => (secure(config) ? '__Host-known-' : 'known-')
const cookieFor = (config: Config, email: string) =>
  `${prefix(config)}${createHash('sha256').update(email).digest('base64url').slice(0, 12)}`
const signature = (key: KeyObject, email: string, name: string) =>
  createHmac('sha256', key)
    .update(JSON.stringify(['known browser', email, name]))
    .digest()

/**
 * Identifies a browser that has signed in to this account before. It has its own limit for wrong passwords, so an attacker
 * elsewhere cannot lock the owner out (security 13). It proves nothing else.
 */
export function knownBrowser(request: FastifyRequest, { config, keys }: { config: Config; keys: Keys }, email: string) {
  const [name = '', given = ''] = request.cookies[cookieFor(config, email)]?.split('.') ?? []
  const presented = Buffer.from(given, 'base64url')
  for (const { secret } of keys.all('tokens')) {
    const expected = signature(secret, email, name)
    if (presented.length === expected.length && timingSafeEqual(presented, expected)) return name
  }
  return undefined
}

/** Marks this browser as known to the account. */
export function rememberBrowser(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { config, keys }: { config: Config; keys: Keys },
  email: string,
): void {
  const own = cookieFor(config, email)
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: secure(config) } as const
  const others = Object.keys(request.cookies).filter((name) => name.startsWith(prefix(config)) && name !== own)
  for (const name of others.slice(maxPeople - 1)) reply.clearCookie(name, options)
  const name = knownBrowser(request, { config, keys }, email) ?? generateToken()
  const proof = signature(keys.current('tokens').secret, email, name).toString('base64url')
  reply.setCookie(own, `${name}.${proof}`, { ...options, maxAge: lifetime })
}
