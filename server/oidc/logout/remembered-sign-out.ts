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

/** Lets this browser see for ten minutes which services its sign-out has reached. */
export function rememberSignOut(reply: FastifyReply, { config, keys }: Context, signOut: string): void {
  const name = cookie(config)
  const options = {
    path: '/signed-out',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(config),
    maxAge: 600,
  } as const
  reply.setCookie(name, signOut, options)
  reply.setCookie(`${name}.sig`, createCookieSigner(keys).sign(`${name}=${signOut}`), options)
}

/** The sign-out that this browser made. */
export const readSignOut = (request: FastifyRequest, { config, keys }: Context): string | undefined =>
  readSignedCookie(request, cookie(config), createCookieSigner(keys))
