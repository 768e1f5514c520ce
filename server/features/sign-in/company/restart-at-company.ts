import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import { findRestartUrl } from '#server/oidc/interactions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { findCompany } from './company.repository.ts'
import { newSignInAddress } from './email-page.ts'

/**
 * Where a sign-in begins again at a company whose answer cannot be used: nobody asked for it, or another browser did. The
 * answer itself counts for nothing.
 *
 * @param uid the sign-in that it belonged to, for the place where that was to lead
 */
export async function restartAtCompany(
  db: Db,
  { samlConfigId, kind, uid }: { samlConfigId: number; kind?: string; uid?: string },
): Promise<string> {
  const company = await findCompany(db, samlConfigId)
  if (!company?.active || (kind !== undefined && company.kind !== kind)) return newSignInAddress('signInOver')
  const [, query] = uid === undefined ? [] : (await findRestartUrl(db, uid, undefined)).split('?')
  return `/login/company/${samlConfigId}?${new URLSearchParams(query)}${query ? '&' : ''}restarted=1`
}

/** Seconds within which a browser is not led to a company again. */
const pause = 120
const cookie = ({ baseUrl }: Config) => (baseUrl.startsWith('https:') ? '__Secure-restarted' : 'restarted')
const options = ({ baseUrl }: Config) =>
  ({ path: '/login/company', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') }) as const

/** Whether such a restart has just led this browser to a company. */
export const wasRestarted = (request: FastifyRequest, config: Config) => request.cookies[cookie(config)] !== undefined

export const rememberRestart = (reply: FastifyReply, config: Config) =>
  void reply.setCookie(cookie(config), '1', { ...options(config), maxAge: pause })

/** The sign-in has succeeded: the next restart is no circle. */
export const forgetRestart = (reply: FastifyReply, config: Config) =>
  void reply.clearCookie(cookie(config), options(config))
