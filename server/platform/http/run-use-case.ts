import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Route } from '#contract/route.ts'
import { type AuditEntry, writeAuditEvent } from '../audit/audit.ts'
import { checkDeclaredEvents } from '../audit/declared-events.ts'
import type { Db } from '../database/database.ts'
import { translateDatabaseError } from '../database/database-problems.ts'
import { inTransaction } from '../database/transactions.ts'
import type { Directory, Machine, Session, System } from '../system.ts'
import { createAccessChecks } from './access-checks.ts'
import type { IdempotentRequest } from './idempotency.ts'
import { hasJustChanged } from './recent-change.ts'
import type { RequestContext } from './request-context.ts'

/** Implements a route. */
export type Handler = (context: RequestContext) => Promise<unknown>

/** An admitted request. */
interface Call {
  system: System
  route: Route
  handler: Handler
  request: FastifyRequest
  reply: FastifyReply
  session: Session | undefined
  machine: Machine | undefined
  directory: Directory | undefined
  now: Date
  params: unknown
  query: unknown
  input: unknown
  repetition: IdempotentRequest | undefined
  /** Of a call that may need it: whether the person has just proven who they are. */
  isFresh: boolean
}

const isAtomic = ({ method, atomic }: Route) => method !== 'GET' && atomic !== false

/**
 * Runs the use case with the transaction and the audit events that its route declares.
 *
 * @returns the response, validated against its schema
 */
export const runUseCase = (call: Call): Promise<unknown> =>
  isAtomic(call.route) ? runInTransaction(call) : runWithoutTransaction(call)

/** One transaction around everything; it may be retried. */
function runInTransaction(call: Call): Promise<unknown> {
  const { system, route, session, repetition } = call
  return inTransaction(system.db, async (db) => {
    const entries: AuditEntry[] = []
    const access = createAccessChecks(route, session, call)
    const transact = () => Promise.reject(new Error(`${route.method} ${route.url} already runs in a transaction`))
    await repetition?.claim(db)
    const result = await callHandler(call, { db, access, transact, audit: (entry) => void entries.push(entry) })
    await recordEvents(call, db, entries)
    await repetition?.keep(db, result)
    return result
  })
}

/** The use case opens its own transactions and does slow work outside of them; a read opens none. */
async function runWithoutTransaction(call: Call): Promise<unknown> {
  const { system, route, session, repetition } = call
  const entries: AuditEntry[] = []
  let hasWritten = false
  const access = createAccessChecks(route, session, call)
  await repetition?.reserve()
  const transact: Transact = async (work) => {
    hasWritten = true
    const { result, own } = await inTransaction(system.db, async (db) => {
      const own: AuditEntry[] = []
      await repetition?.changing(db)
      const result = await work(db, (entry) => own.push(entry))
      access.assertChecked()
      await recordEvents(call, db, own, entries)
      return { result, own }
    })
    entries.push(...own)
    return result
  }
  const audit = () => {
    throw new Error(`${route.method} ${route.url} has no transaction: record audit events inside transact()`)
  }
  const read = (db: Db) => callHandler(call, { db, access, transact, audit })
  const result = await readFrom(call, read, () => !hasWritten).catch(translateDatabaseError)
  checkDeclaredEvents(route, entries)
  await repetition?.keep(system.db, result)
  return result
}

/** A call that may lag is answered by the replica, where there is one, and by the primary where that fails. */
async function readFrom(
  { system, route, request, reply }: Call,
  read: (db: Db) => Promise<unknown>,
  mayRepeat: () => boolean,
): Promise<unknown> {
  const { readCopy, config, db } = system
  const copy = route.mayLag && !hasJustChanged(request, config) ? readCopy?.current() : undefined
  if (!copy) return read(db)
  return read(copy).catch((error: unknown) => {
    if (!readCopy?.failed(error) || reply.sent || !mayRepeat()) throw error
    return read(db)
  })
}

/** Stops a use case after its access check; its transaction is rolled back. */
class AccessGranted extends Error {}

/**
 * Repeats the access check on what only the use case can load, before a stored response is replayed.
 *
 * @throws Problem 403 or 404 where the actor no longer has access
 */
export async function recheckAccess(call: Call): Promise<void> {
  const { system, route, session } = call
  if (route.target !== 'loaded') return
  const onGranted = () => {
    throw new AccessGranted()
  }
  const access = createAccessChecks(route, session, { ...call, onGranted })
  const audit = () => undefined
  const transact: Transact = (work) => inTransaction(system.db, (db) => work(db, audit))
  const ask = (db: Db) => callHandler(call, { db, access, audit, transact })
  const asking = isAtomic(route) ? inTransaction(system.db, ask) : ask(system.db)
  await asking.catch((error: unknown) => {
    if (!(error instanceof AccessGranted)) translateDatabaseError(error)
  })
}

type Transact = (work: (db: Db, audit: (entry: AuditEntry) => void) => Promise<unknown>) => Promise<unknown>

interface HandlerTools {
  db: Db
  access: ReturnType<typeof createAccessChecks>
  audit: (entry: AuditEntry) => void
  transact: Transact
}

/** Validates the response before the commit, so that an invalid one changes nothing. */
async function callHandler(call: Call, { db, access, audit, transact }: HandlerTools): Promise<unknown> {
  const { system, route, handler, request, reply, session, machine, directory, now, params, query, input } = call
  const { allow, require, requireFreshProof, assertChecked } = access
  const asked = { params, query, input, now, ip: request.ip, requestId: request.id, http: { request, reply } }
  const context = {
    ...system,
    ...asked,
    db,
    session,
    machine,
    directory,
    actor: session?.actor,
    audit,
    allow,
    require,
    requireFreshProof,
    transact,
  }
  // Each handler is typed by its route; here the type is erased.
  const result = await handler(context as unknown as RequestContext)
  assertChecked()
  return reply.sent || typeof route.answer === 'string' ? result : z.parse(route.answer, result)
}

/** Runs before the commit, so that no change is committed without its event. */
async function recordEvents(call: Call, db: Db, entries: AuditEntry[], before: AuditEntry[] = []): Promise<void> {
  const { route, session, directory, request, now } = call
  checkDeclaredEvents(route, [...before, ...entries])
  const actor = actorOf({ session, directory })
  for (const entry of entries) await writeAuditEvent(db, entry, { actor, requestId: request.id, now })
}

/** Whom the events of a request name as who did it. */
export const actorOf = ({
  session,
  directory,
}: {
  session?: Session | undefined
  directory?: Directory | undefined
}): { id: string; label: string; organizationIds: string[] } | undefined =>
  session ? personOf(session) : directory && directoryOf(directory)

const personOf = ({ actor, label, heldBack }: Session) => ({
  id: actor.accountId,
  label,
  // Also organisations that this session cannot reach: the actor is their member.
  organizationIds: [...actor.organizations, ...heldBack.organizations].map((own) => own.organizationId),
})

/** An organisation acts by its directory. */
const directoryOf = ({ organizationId, name }: Directory) => ({
  id: organizationId,
  label: `${name} (SCIM)`,
  organizationIds: [organizationId],
})
