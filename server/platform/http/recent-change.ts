import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'

/** Seconds; more than the longest allowed lag of a replica, and the longest request. */
const lifetime = 120

const isSecure = ({ baseUrl }: Config) => baseUrl.startsWith('https:')
const cookie = (config: Config) => (isSecure(config) ? '__Host-changed' : 'changed')

/**
 * This browser has asked for a change, so it reads from the primary for a while: who has changed something sees it. The cookie
 * needs no signature: a forged one makes the primary answer.
 */
export const noteChange = (reply: FastifyReply, config: Config): void =>
  void reply.setCookie(cookie(config), '1', {
    ...{ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) },
    maxAge: lifetime,
  })

/** Whether this browser has asked for a change in the last two minutes. */
export const hasJustChanged = (request: FastifyRequest, config: Config): boolean =>
  request.cookies[cookie(config)] !== undefined
