import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type Actor, can, type Permission } from '#contract/permissions.ts'
import type { Route, Routes } from '#contract/route.ts'
import { addressKey } from './address.ts'
import { type AuditEntry, writeAuditEvent } from './audit.ts'
import { checkAudit } from './audit-duty.ts'
import type { Db } from './database.ts'
import { translateDatabaseError } from './database-problems.ts'
import { repeatable } from './idempotency.ts'
import { Problem } from './problem.ts'
import type { Handlers, RequestContext } from './request-context.ts'
import { parse } from './request-parsing.ts'
import { routePattern } from './route-pattern.ts'
import type { ReadSession, Session, System } from './system.ts'
import { inTransaction } from './transactions.ts'

/**
 * The one door: opens a group of calls on the server.
 *
 * Only here is the session read, access checked, the request parsed, the transaction opened, the audit event seen to
 * and the answer shaped. What stands behind it is the use case alone.
 */
export function serve<Group extends Routes>(
  app: FastifyInstance,
  {
    system,
    readSession,
    routes,
    handlers,
  }: { system: System; readSession: ReadSession; routes: Group; handlers: Handlers<Group> },
): void {
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const handler = handlers[name] as unknown as (context: RequestContext) => Promise<unknown>
    app.route({
      method: route.method,
      url: routePattern(route.url),
      bodyLimit: route.bodyLimit ?? 64 * 1024,
      config: { route },
      handler: (request, reply) => answer({ system, readSession, route, handler, request, reply }),
    })
  }
}

interface Visit {
  system: System
  readSession: ReadSession
  route: Route
  handler: (context: RequestContext) => Promise<unknown>
  request: FastifyRequest
  reply: FastifyReply
}

async function answer({ system, readSession, route, handler, request, reply }: Visit): Promise<unknown> {
  const now = system.clock()
  if (route.limit) {
    const limit = { name: route.limit, key: addressKey(request.ip) }
    await system.limits.take(system.db, [limit], now).catch(translateDatabaseError)
  }
  const session = route.session === false ? undefined : await readSession(request)
  admit(route, session)
  if (session) {
    const retryAfter = system.usage.count(session.key, session.actor.accountId, now)
    if (retryAfter > 0) throw new Problem(429, 'tooManyRequests', { retryAfter })
  }
  const params = parse(route.params, request.params, 404)
  const query = parse(route.query, emptyIsNothing(request.query), 422)
  const input = parse(route.input, request.body ?? undefined, 422)
  if (typeof route.target === 'function')
    reach(session?.actor, route.access as Permission, route.target({ params, input } as never))

  const circumstances = {
    actor: session && {
      id: session.actor.accountId,
      label: session.label,
      organizationIds: session.actor.organizations.map((own) => own.organizationId),
    },
    requestId: request.id,
    now,
  }
  const atomic = route.method !== 'GET' && route.atomic !== false
  const repetition = repeatable(system, { request, reply, route, session, now })
  const entries: AuditEntry[] = []
  let claimed = false
  let allowed = route.target !== 'loaded'
  const context = {
    ...system,
    params,
    query,
    input,
    actor: session?.actor,
    session,
    now,
    ip: request.ip,
    requestId: request.id,
    http: { request, reply },
    audit: (entry: AuditEntry) => {
      if (!atomic) throw new Error(`${route.method} ${route.url} has no transaction: its event belongs into transact()`)
      entries.push(entry)
    },
    allow: (name: Permission, target: never) => {
      reach(session?.actor, name, target)
      allowed ||= name === route.access
    },
    require: (name: Permission, target: never) => {
      if (!session || !can(session.actor, name, target)) throw new Problem(403, 'forbidden')
      allowed ||= name === route.access
    },
    transact: async (work: (db: Db, audit: (entry: AuditEntry) => void) => Promise<unknown>) => {
      if (atomic) throw new Error(`${route.method} ${route.url} is in a transaction already`)
      const { result, own } = await inTransaction(system.db, async (db) => {
        const own: AuditEntry[] = []
        if (!claimed) await repetition?.claim(db)
        const result = await work(db, (entry) => own.push(entry))
        mustHaveAsked()
        // Checked before the commit: what is written without its event must not stay.
        checkAudit(route, [...entries, ...own])
        for (const entry of own) await writeAuditEvent(db, entry, circumstances)
        return { result, own }
      })
      claimed = true
      repetition?.claimed()
      entries.push(...own)
      return result
    },
  } as unknown as RequestContext
  const mustHaveAsked = () => {
    if (!allowed) throw new Error(`${route.method} ${route.url} answered without asking for ${route.access}`)
  }
  // The answer is shaped before the commit: a use case that answers with something else has changed nothing.
  const run = async (db: Db) => {
    const result = await handler(Object.assign(context, { db }))
    mustHaveAsked()
    return reply.sent || typeof route.answer === 'string' ? result : z.parse(route.answer, result)
  }

  const inParts = async () => {
    const result = await run(system.db).catch(translateDatabaseError)
    checkAudit(route, entries)
    await repetition?.keep(system.db, result)
    return send(route, result, reply)
  }
  const asOne = async () => {
    const result = await inTransaction(system.db, async (db) => {
      entries.length = 0
      await repetition?.claim(db)
      const done = await run(db)
      checkAudit(route, entries)
      for (const entry of entries) await writeAuditEvent(db, entry, circumstances)
      await repetition?.keep(db, done)
      return done
    })
    return send(route, result, reply)
  }
  const work = atomic ? asOne : inParts
  return repetition ? repetition.once(work) : work()
}

function admit(route: Route, session: Session | undefined): void {
  if (route.access === 'public') return
  if (!session) throw new Problem(401, 'signInRequired')
  if (session.user.passwordMustChange && !route.beforePasswordChange) throw new Problem(403, 'passwordMustChange')
  if (route.access !== 'signedIn' && !can(session.actor, route.access)) throw new Problem(403, 'forbidden')
}

function reach(actor: Actor | undefined, name: Permission, target: unknown): void {
  if (!actor || !can(actor, name, target as never)) throw new Problem(404, 'notFound')
}

const emptyIsNothing = (query: unknown) =>
  query && typeof query === 'object' && Object.keys(query).length > 0 ? query : undefined

function send(route: Route, result: unknown, reply: FastifyReply): unknown {
  if (reply.sent) return reply
  switch (route.answer) {
    case 'nothing':
      return reply.code(204).send()
    case 'redirect':
      return reply.redirect(result as string, 303)
    case 'html':
      // A page that is also something else on request has said so itself.
      if (!reply.hasHeader('content-type')) reply.type('text/html; charset=utf-8')
      return reply.send(result)
    default:
      return reply.code(route.status ?? 200).send(result)
  }
}
