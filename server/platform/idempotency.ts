import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Route } from '#contract/route.ts'
import type { Db } from './database.ts'
import { Problem } from './problem.ts'
import { open, seal } from './sealing.ts'
import type { Session, System } from './system.ts'

/** How long an answer is kept for whoever repeats the request; milliseconds. */
export const repeatableFor = 24 * 3600 * 1000

const isRepeatable = ({ method, url }: Route) => method !== 'GET' && url.startsWith('/api/')

const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Sent again within 24 hours with the same key, the request is answered as before and not done again',
  schema: { type: 'string', maxLength: 200 },
} as const

/** The header of a call that may be repeated under a key, for the API description. */
export const repeating = (route: Route) => (isRepeatable(route) && route.access !== 'public' ? [keyParameter] : [])

/** One request that may come again: it is done once, and answered as often as it is sent. */
export interface Repeatable {
  /**
   * Does the work, or answers what it was answered with before.
   *
   * @throws Problem 422 `idempotencyKeyReused` for another request with the same key
   * @throws Problem 409 `requestInProgress` while the first one is not answered yet
   */
  once(work: () => Promise<unknown>): Promise<unknown>
  /**
   * Says, in the transaction of the change, that this request makes it. Waits for another one that is making it.
   *
   * @throws Problem 409 `requestInProgress` when that one has made it
   */
  claim(db: Db): Promise<void>
  /** Says that the claim was committed, with the answer still to come: where none comes, it is taken back. */
  claimed(): void
  /** Keeps the answer, in the same transaction where there is one. */
  keep(db: Db, answer: unknown): Promise<void>
}

interface Request {
  request: FastifyRequest
  reply: FastifyReply
  route: Route
  session: Session | undefined
  now: Date
}

/**
 * The request with its `Idempotency-Key`; undefined without one. A failure is not kept: nothing was changed, and the
 * next try may succeed. The answer is sealed, for it may hold a personal identity number.
 */
export function repeatable(
  { db: pool, keys }: Pick<System, 'db' | 'keys'>,
  { request, reply, route, session, now }: Request,
): Repeatable | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || !session || !isRepeatable(route)) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'Idempotency-Key', message: 'invalidValue' }] })
  const id = createHash('sha256').update(`${session.key} ${key}`).digest('base64url')
  const content = JSON.stringify([request.method, request.url, request.body ?? null])
  const requestHash = createHash('sha256').update(content).digest()
  const cell = { table: 'idempotency_keys', column: 'answer_sealed', row: id }
  const outdated = new Date(now.getTime() - repeatableFor)
  let ours = false
  const inProgress = () => new Problem(409, 'requestInProgress')

  /** @returns whether it was answered */
  async function answerAgain(): Promise<boolean> {
    const row = await pool
      .selectFrom('idempotencyKeys')
      .select(['requestHash', 'status', 'answerSealed'])
      .where('id', '=', id)
      .where('createdAt', '>', outdated)
      .executeTakeFirst()
    if (!row) return false
    if (!row.requestHash.equals(requestHash)) throw new Problem(422, 'idempotencyKeyReused')
    if (row.status === null) throw inProgress()
    reply.code(row.status).header('idempotency-replayed', 'true')
    if (row.answerSealed) reply.type('application/json; charset=utf-8')
    reply.send(row.answerSealed ? (await open(keys, cell, row.answerSealed)).toString('utf8') : undefined)
    return true
  }

  return {
    async once(work) {
      if (await answerAgain()) return reply
      try {
        return await work()
      } catch (error) {
        if (error instanceof Problem && error.key === 'requestInProgress' && (await answerAgain())) return reply
        // What failed after a transaction of its own had claimed the key may be tried again. A claim that was rolled back
        // is not ours any more: another request may have made one meanwhile.
        if (ours) await pool.deleteFrom('idempotencyKeys').where('id', '=', id).where('status', 'is', null).execute()
        throw error
      }
    },
    async claim(db) {
      const { rows } = await sql`
        insert into idempotency_keys as present (id, request_hash, created_at) values (${id}, ${requestHash}, ${now})
        on conflict (id) do update set (request_hash, status, answer_sealed, created_at) =
          (excluded.request_hash, null, null, excluded.created_at)
        where present.created_at <= ${outdated} returning id`.execute(db)
      if (rows.length === 0) throw inProgress()
    },
    claimed() {
      ours = true
    },
    async keep(db, answer) {
      const status = route.answer === 'nothing' ? 204 : (route.status ?? 200)
      const answerSealed = status === 204 ? null : seal(keys, 'fields', cell, JSON.stringify(answer))
      await db.updateTable('idempotencyKeys').set({ status, answerSealed }).where('id', '=', id).execute()
    },
  }
}
