import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { createCookieSigner, readSignedCookie } from '../cookies.ts'

interface Context {
  config: Config
  keys: Keys
}

const isSecure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')
const cookie = (config: Config) => (isSecure(config) ? '__Secure-signed-out' : 'signed-out')

interface SignOut {
  id: string
  /** Where the browser goes after the page of the sign-out. */
  onward: string | undefined
}

/** Lets this browser see for ten minutes which services its sign-out has reached. */
export function rememberSignOut(reply: FastifyReply, { config, keys }: Context, { id, onward }: SignOut): void {
  const name = cookie(config)
  const value = onward ? `${id}.${Buffer.from(onward).toString('base64url')}` : id
  const options = {
    path: '/signed-out',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge: 600,
  } as const
  reply.setCookie(name, value, options)
  reply.setCookie(`${name}.sig`, createCookieSigner(keys).sign(`${name}=${value}`), options)
}

/** The sign-out that this browser made. */
export function readSignOut(request: FastifyRequest, { config, keys }: Context): SignOut | undefined {
  const value = readSignedCookie(request, cookie(config), createCookieSigner(keys))
  if (value === undefined) return undefined
  const [id = '', onward] = value.split('.')
  return { id, onward: onward && Buffer.from(onward, 'base64url').toString() }
}
