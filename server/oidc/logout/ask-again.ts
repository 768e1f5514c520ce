import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

// Seconds; the working day of an identity provider's session.
const lifetime = 12 * 3600

const isSecure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')
const cookie = (config: Config) => (isSecure(config) ? '__Host-ask-again' : 'ask-again')
const options = (config: Config) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) }) as const

/**
 * Someone signed out in this browser. An organisation's identity provider may still know them, so the next sign-in there
 * asks for a new authentication. The cookie needs no signature: a forged one makes the person type a password.
 */
export const askAgain = (reply: FastifyReply, config: Config): void =>
  void reply.setCookie(cookie(config), '1', { ...options(config), maxAge: lifetime })

export const mustAskAgain = (request: FastifyRequest, config: Config): boolean =>
  request.cookies[cookie(config)] !== undefined

/** Someone has signed in at the organisation since. */
export const stopAskingAgain = (reply: FastifyReply, config: Config): void =>
  void reply.clearCookie(cookie(config), options(config))
