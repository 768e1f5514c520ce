import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/keys.ts'
import { safeReturnTo } from './return-to.ts'

/** A random value that names this browser while it is open; what is bound to it is of no use in another one. */
const browserCookie = ({ baseUrl }: Config) => (baseUrl.startsWith('https:') ? '__Host-browser' : 'browser')

/** The browser's random value, if it has one. */
export const browserOf = (request: FastifyRequest, config: Config): string | undefined => {
  const value = request.cookies[browserCookie(config)]
  return value && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** The browser's random value; a browser without one gets one. */
export function nameBrowser(request: FastifyRequest, reply: FastifyReply, config: Config): string {
  const present = browserOf(request, config)
  if (present) return present
  const value = randomBytes(32).toString('base64url')
  reply.setCookie(browserCookie(config), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: config.baseUrl.startsWith('https:'),
  })
  return value
}

const proof = (key: KeyObject, browser: string, returnTo: string) =>
  createHmac('sha256', key).update(`login state ${browser} ${returnTo}`).digest()

/**
 * The state of a sign-in to the portal: where it leads, and a proof that this browser began it. One value for all tabs
 * of a browser, so that several sign-ins at once do not disturb each other.
 */
export const stateFor = (keys: Keys, browser: string, returnTo: string): string =>
  [Buffer.from(returnTo), proof(keys.current('cookies').secret, browser, returnTo)]
    .map((part) => part.toString('base64url'))
    .join('.')

/** Where a state leads, without a look at its proof: a path on this origin in any case. */
export const returnToOf = (state: unknown): string =>
  typeof state === 'string' ? safeReturnTo(Buffer.from(state.split('.', 1)[0] ?? '', 'base64url').toString()) : '/'

/** Where a state leads, if this browser began that sign-in; else `/`. */
export function provenReturnTo(keys: Keys, browser: string | undefined, state: string | undefined): string {
  const returnTo = returnToOf(state)
  const given = Buffer.from(state?.split('.')[1] ?? '', 'base64url')
  const proven =
    browser !== undefined &&
    keys.all('cookies').some(({ secret }) => {
      const expected = proof(secret, browser, returnTo)
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  return proven ? returnTo : '/'
}
