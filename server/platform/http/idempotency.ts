import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor } from '#contract/actor.ts'
import { idempotencyTtl } from '#contract/idempotency.ts'
import type { Route } from '#contract/route.ts'
import type { Db } from '../database/database.ts'
import { Problem } from '../problem.ts'
import { seal, unseal } from '../secrets/sealing.ts'
import type { Session, System } from '../system.ts'

/** Milliseconds: no look for the response of an earlier request with the same key waits longer. Together they take 13 s. */
const patience = 7000
/** Milliseconds after which a claim without a change is of a process that ended. */
const leaseMs = 60_000
/** HTTP's 102 Processing: something is changed, and the response is not stored yet. */
const changingStatus = 102

const supportsIdempotency = ({ method, url }: Route) => method !== 'GET' && url.startsWith('/api/')

const keyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A retry with the same key within 24 hours gets the first response again and changes nothing',
  schema: { type: 'string', maxLength: 200 },
} as const

/** The `Idempotency-Key` header of routes that support it, for the API description. */
export const idempotencyHeader = (route: Route) =>
  supportsIdempotency(route) && route.access !== 'public' ? [keyParameter] : []

/** A request with an idempotency key: it runs once, and every retry gets the same response. */
export interface IdempotentRequest {
  /**
   * Runs the work, or replays the stored response.
   *
   * @param stillAllowed repeats the access check on the target; throws without access
   * @throws Problem 422 `idempotencyKeyReused` for another request with the same key
   * @throws Problem 409 `requestInProgress` while the first request is still running after 13 seconds
   */
  once(work: () => Promise<unknown>, stillAllowed: () => Promise<void>): Promise<unknown>
  /**
   * Claims the key inside the one transaction of the request. Waits for a concurrent request that holds the claim.
   *
   * @throws Problem 409 `requestInProgress` when that request has committed
   */
  claim(db: Db): Promise<void>
  /**
   * Claims the key for a request without such a transaction, before it does anything: what it counts on the way would
   * count twice. The claim is released when the request fails, and taken over a minute after a crash.
   *
   * @throws Problem 409 `requestInProgress` when another request holds it
   */
  reserve(): Promise<void>
  /** Notes in a transaction of the request that it changes something: after a crash it is not repeated. */
  changing(db: Db): Promise<void>
  /** Stores the response, in the same transaction where there is one. */
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
 * The request with its `Idempotency-Key`; undefined without one. Failures are not stored: they changed nothing, and a
 * retry may succeed. The response is encrypted, because it may contain a personal identity number.
 */
export function createIdempotentRequest(
  { db: pool, keys }: Pick<System, 'db' | 'keys'>,
  { request, reply, route, session, now }: Request,
): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || !session || !supportsIdempotency(route)) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new Problem(422, 'validationFailed', { issues: [{ path: 'Idempotency-Key', message: 'invalidValue' }] })
  const id = createHash('sha256').update(`${session.key} ${key}`).digest('base64url')
  // The response depends on the user's roles, so with other roles it is a different request.
  const content = JSON.stringify([request.method, request.url, request.body ?? null, rolesOf(session.actor)])
  const hashWith = (secret: KeyObject) => createHmac('sha256', secret).update(`repeatable request ${content}`).digest()
  const requestHash = hashWith(keys.current('tokens').secret)
  const isSameRequest = (kept: Buffer) =>
    keys.all('tokens').some(({ secret }) => timingSafeEqual(kept, hashWith(secret)))
  const cell = { table: 'idempotency_keys', column: 'answer_sealed', row: id }
  const expiredBefore = new Date(now.getTime() - idempotencyTtl)
  const abandonedBefore = new Date(now.getTime() - leaseMs)
  let isReserved = false
  const inProgress = () => new Problem(409, 'requestInProgress')

  /** The stored response; undefined where no request with this key has run, or the one that ran has failed. */
  async function kept() {
    const row = await pool
      .selectFrom('idempotencyKeys')
      .select(['requestHash', 'status', 'answerSealed'])
      .where('id', '=', id)
      .where('createdAt', '>', expiredBefore)
      .where((eb) => eb.or([eb('status', 'is not', null), eb('createdAt', '>', abandonedBefore)]))
      .executeTakeFirst()
    if (row && !isSameRequest(row.requestHash)) throw new Problem(422, 'idempotencyKeyReused')
    return row
  }

  /** @returns whether a stored response was sent */
  async function replay(stillAllowed: () => Promise<void>): Promise<boolean> {
    let row = await kept()
    const isRunning = () => row && (row.status === null || row.status === changingStatus)
    // Each look is twice as late as the one before: many who wait for a slow request must not keep the database busy.
    for (let pause = 25; isRunning() && pause < patience; pause *= 2) {
      await wait(pause)
      row = await kept()
    }
    if (!row) return false
    if (row.status === null || row.status === changingStatus) throw inProgress()
    await stillAllowed()
    reply.code(row.status).header('idempotency-replayed', 'true')
    if (row.answerSealed) reply.type('application/json; charset=utf-8')
    reply.send(row.answerSealed ? (await unseal(keys, cell, row.answerSealed)).toString('utf8') : undefined)
    return true
  }

  async function claim(db: Db): Promise<void> {
    const { rows } = await sql`
      insert into idempotency_keys as present (id, request_hash, created_at) values (${id}, ${requestHash}, ${now})
      on conflict (id) do update set (request_hash, status, answer_sealed, created_at) =
        (excluded.request_hash, null, null, excluded.created_at)
      where present.created_at <= ${expiredBefore}
        or (present.status is null and present.created_at <= ${abandonedBefore}) returning id`.execute(db)
    if (rows.length === 0) throw inProgress()
  }

  return {
    async once(work, stillAllowed) {
      if (await replay(stillAllowed)) return reply
      try {
        return await work()
      } catch (error) {
        if (error instanceof Problem && error.key === 'requestInProgress' && (await replay(stillAllowed))) return reply
        // A claim that was rolled back is not ours: another request may hold the key by now.
        if (isReserved) await pool.deleteFrom('idempotencyKeys').where('id', '=', id).execute()
        throw error
      }
    },
    claim,
    async reserve() {
      await claim(pool)
      isReserved = true
    },
    async changing(db) {
      await db.updateTable('idempotencyKeys').set({ status: changingStatus }).where('id', '=', id).execute()
    },
    async keep(db, answer) {
      const status = route.answer === 'nothing' ? 204 : (route.status ?? 200)
      const answerSealed = status === 204 ? null : seal(keys, 'fields', cell, JSON.stringify(answer))
      await db.updateTable('idempotencyKeys').set({ status, answerSealed }).where('id', '=', id).execute()
    },
  }
}

/** What the actor may, sorted, so that the hash does not depend on the order in the database. */
const rolesOf = ({ superUser, portalRole, organizations, services }: Actor) => [
  superUser,
  ...(portalRole ? [portalRole] : []),
  ...organizations.map((own) => [own.organizationId, own.userRole, ...powersOf(own)].join(' ')).sort(),
  ...services.map((own) => `${own.serviceId} ${own.organizationId} ${own.userRole}`).sort(),
]
const powersOf = ({ roles, scoped }: Actor['organizations'][number]) =>
  [
    ...new Set((roles ?? []).flatMap(({ permissions }) => permissions)),
    ...(scoped ?? []).map(({ role, scopeId }) => `${role} ${scopeId}`),
  ].sort()
