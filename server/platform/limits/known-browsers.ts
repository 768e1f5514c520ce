import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Keys } from '../secrets/keys.ts'
import { addressKey } from './address.ts'

interface Context {
  config: Config
  keys: Keys
}

/** What the cookies of known browsers begin with: one for each account, with a hash of its address. */
export const knownPrefix = ({ baseUrl }: Config): string => (baseUrl.startsWith('https:') ? '__Host-known-' : 'known-')

/** The cookie of a browser that has signed in to this account. */
export const knownCookie = (config: Config, email: string): string =>
  `${knownPrefix(config)}${createHash('sha256').update(email).digest('base64url').slice(0, 22)}`

const signature = (key: KeyObject, cookie: string, name: string) =>
  createHmac('sha256', key)
    .update(JSON.stringify(['known browser', cookie, name]))
    .digest()

/** The value of the cookie: a random name for the browser, and what proves that we gave it. */
export const knownValue = ({ keys }: Context, cookie: string, name: string): string =>
  `${name}.${signature(keys.current('tokens').secret, cookie, name).toString('base64url')}`

/** The name of the browser, if this cookie is one that we gave. */
export function readKnownBrowser(request: FastifyRequest, { keys }: Context, cookie: string): string | undefined {
  const [name = '', given = ''] = request.cookies[cookie]?.split('.') ?? []
  const presented = Buffer.from(given, 'base64url')
  for (const { secret } of keys.all('tokens')) {
    const expected = signature(secret, cookie, name)
    if (presented.length === expected.length && timingSafeEqual(presented, expected)) return name
  }
  return undefined
}

/**
 * The key of a limit for what a browser asks about this account: the account with the browser, where it has signed in to it
 * before and learns nothing new, and otherwise the address.
 */
export function askerKey(
  { config, keys, http, ip }: Context & { http: { request: FastifyRequest }; ip: string },
  email: string,
): string {
  const browser = readKnownBrowser(http.request, { config, keys }, knownCookie(config, email))
  return browser === undefined ? addressKey(ip) : `${email} ${browser}`
}

/** A browser has at most five of these cookies; a stranger may send many. */
const maxTried = 8

/** The name of a browser that has signed in to any account before. It proves nothing else. */
export function findKnownBrowser(request: FastifyRequest, context: Context): string | undefined {
  const given = Object.keys(request.cookies).filter((name) => name.startsWith(knownPrefix(context.config)))
  for (const cookie of given.slice(0, maxTried)) {
    const name = readKnownBrowser(request, context, cookie)
    if (name !== undefined) return name
  }
  return undefined
}
