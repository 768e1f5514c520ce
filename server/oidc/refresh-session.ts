import type { FastifyRequest } from 'fastify'
import { translateDatabaseError } from '#server/platform/database/database-problems.ts'
import type { System } from '#server/platform/system.ts'
import { cookieNames, createCookieSigner, readSignedCookie } from './cookies.ts'
import { hashId } from './hash-id.ts'

const statement = `
  update sessions s set last_used_at = $2,
    expires_at = least($2::timestamptz + make_interval(mins => $3), s.authenticated_at + make_interval(hours => $4))
  from users u
  where s.id_hash = $1 and s.expires_at > $2 and u.account_id = s.account_id and u.auth_epoch = s.auth_epoch
    and u.passive_at is null and not u.pending`

/**
 * Extends the session of a request, up to its absolute end.
 *
 * @returns whether there was one
 * @throws Problem 503 when the database is unavailable
 */
export function createRefreshSession({ config, keys, pool, clock }: System) {
  const name = cookieNames(config).session
  const signatures = createCookieSigner(keys)
  return async (request: FastifyRequest): Promise<boolean> => {
    const id = readSignedCookie(request, name, signatures)
    if (!id) return false
    const values = [hashId(id), clock(), config.sessionIdleMinutes, config.sessionMaxHours]
    const { rowCount } = await pool.query({ name: 'refresh', text: statement, values }).catch(translateDatabaseError)
    return rowCount === 1
  }
}
