import type { FastifyRequest } from 'fastify'
import { translateDatabaseError } from '#server/platform/database-problems.ts'
import type { System } from '#server/platform/system.ts'
import { cookieNames, createCookieSignatures, signedCookie } from './cookies.ts'
import { idHash } from './id-hash.ts'

const statement = `
  update sessions s set last_used_at = $2,
    expires_at = least($2::timestamptz + make_interval(mins => $3), s.authenticated_at + make_interval(hours => $4))
  from users u
  where s.id_hash = $1 and s.expires_at > $2 and u.account_id = s.account_id and u.auth_epoch = s.auth_epoch
    and u.passive_at is null and not u.pending`

/**
 * Lengthens the session of a request, up to its absolute end.
 *
 * @returns whether there was one
 * @throws Problem 503 when the database cannot be asked
 */
export function createRefreshSession({ config, keys, pool, clock }: System) {
  const name = cookieNames(config).session
  const signatures = createCookieSignatures(keys)
  return async (request: FastifyRequest): Promise<boolean> => {
    const id = signedCookie(request, name, signatures)
    if (!id) return false
    const values = [idHash(id), clock(), config.sessionIdleMinutes, config.sessionMaxHours]
    const { rowCount } = await pool.query({ name: 'refresh', text: statement, values }).catch(translateDatabaseError)
    return rowCount === 1
  }
}
