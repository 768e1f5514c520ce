import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { safeReturnTo } from './return-to.ts'

/** A random id in a session cookie; values bound to it are useless in another browser. */
const browserCookie = ({ baseUrl }: Config) => (baseUrl.startsWith('https:') ? '__Host-browser' : 'browser')

/** Reads the browser id, if there is one. */
export const readBrowserId = (request: FastifyRequest, config: Config): string | undefined => {
  const value = request.cookies[browserCookie(config)]
  return value && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** Reads the browser id, or sets a new one. */
export function ensureBrowserId(request: FastifyRequest, reply: FastifyReply, config: Config): string {
  const present = readBrowserId(request, config)
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

const computeMac = (key: KeyObject, browser: string, returnTo: string) =>
  createHmac('sha256', key).update(`login state ${browser} ${returnTo}`).digest()

/**
 * Creates the `state` of a sign-in to the portal: the return path, and a MAC that binds it to this browser. It does not
 * depend on the tab, so that several sign-ins in one browser can run in parallel.
 */
export const createLoginState = (keys: Keys, browser: string, returnTo: string): string =>
  [Buffer.from(returnTo), computeMac(keys.current('cookies').secret, browser, returnTo)]
    .map((part) => part.toString('base64url'))
    .join('.')

/** Parses the return path without verifying the MAC; always a path on this origin. */
export const parseReturnTo = (state: unknown): string =>
  typeof state === 'string' ? safeReturnTo(Buffer.from(state.split('.', 1)[0] ?? '', 'base64url').toString()) : '/'

/** Verifies the MAC and returns the path; `/` if another browser started that sign-in. */
export function verifyReturnTo(keys: Keys, browser: string | undefined, state: string | undefined): string {
  const returnTo = parseReturnTo(state)
  const given = Buffer.from(state?.split('.')[1] ?? '', 'base64url')
  const proven =
    browser !== undefined &&
    keys.all('cookies').some(({ secret }) => {
      const expected = computeMac(secret, browser, returnTo)
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  return proven ? returnTo : '/'
}
