import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { type Actor, can, type Permission } from '#contract/permissions.ts'
import type { Route, Routes } from '#contract/route.ts'
import { addressKey } from './address.ts'
import { type AuditEntry, writeAuditEvent } from './audit.ts'
import { checkAudit } from './audit-duty.ts'
import type { Db } from './database.ts'
import { translateDatabaseError } from './database-problems.ts'
import { Problem } from './problem.ts'
import type { Handlers, RequestContext } from './request-context.ts'
import { parse } from './request-parsing.ts'
import { routePattern } from './route-pattern.ts'
import type { ReadSession, Session, System } from './system.ts'

/** A deadlock or a lost serialisation is nobody's fault: the use case runs again, on a fresh transaction. */
const maxRuns = 3

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
  if (route.limit) await system.limits.take(system.db, [{ name: route.limit, key: addressKey(request.ip) }], now)
  const session = await readSession(request)
  admit(route, session)
  if (session) {
    const retryAfter = system.usage.count(session.key, session.actor.accountId, now)
    if (retryAfter > 0) throw new Problem(429, 'tooManyRequests', { retryAfter })
  }
  const params = parse(route.params, request.params, 404)
  const query = parse(route.query, emptyIsNothing(request.query), 422)
  const input = parse(route.input, route.input ? request.body : undefined, 422)
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
  const entries: AuditEntry[] = []
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
    audit: (entry: AuditEntry) => void entries.push(entry),
    allow: (name: Permission, target: never) => {
      reach(session?.actor, name, target)
      allowed ||= name === route.access
    },
    require: (name: Permission, target: never) => {
      if (!session || !can(session.actor, name, target)) throw new Problem(403, 'forbidden')
      allowed ||= name === route.access
    },
    transact: (work: (db: Db, audit: (entry: AuditEntry) => void) => Promise<unknown>) =>
      inTransaction(system, async (db) => {
        const own: AuditEntry[] = []
        const result = await work(db, (entry) => own.push(entry))
        for (const entry of own) await writeAuditEvent(db, entry, circumstances)
        return { result, own }
      }).then(({ result, own }) => {
        entries.push(...own)
        return result
      }),
  } as unknown as RequestContext
  const run = async (db: Db) => {
    const result = await handler(Object.assign(context, { db }))
    if (!allowed) throw new Error(`${route.method} ${route.url} answered without asking for ${route.access}`)
    return result
  }

  let result: unknown
  if (route.method === 'GET' || route.atomic === false) {
    result = await run(system.db).catch(translateDatabaseError)
    checkAudit(route, entries)
  } else {
    result = await inTransaction(system, async (db) => {
      entries.length = 0
      const done = await run(db)
      checkAudit(route, entries)
      for (const entry of entries) await writeAuditEvent(db, entry, circumstances)
      return done
    })
  }
  return shape(route, result, reply)
}

function admit(route: Route, session: Session | undefined): void {
  if (route.access === 'public') return
  if (!session) throw new Problem(401, 'signInRequired')
  if (route.access !== 'signedIn' && !can(session.actor, route.access)) throw new Problem(403, 'forbidden')
}

function reach(actor: Actor | undefined, name: Permission, target: unknown): void {
  if (!actor || !can(actor, name, target as never)) throw new Problem(404, 'notFound')
}

const emptyIsNothing = (query: unknown) =>
  query && typeof query === 'object' && Object.keys(query).length > 0 ? query : undefined

async function inTransaction<Result>(system: System, work: (db: Db) => Promise<Result>): Promise<Result> {
  for (let run = 1; ; run++) {
    try {
      return await system.db.transaction().execute(work)
    } catch (error) {
      const code = (error as { code?: string }).code
      if (run < maxRuns && (code === '40P01' || code === '40001')) continue
      translateDatabaseError(error)
    }
  }
}

function shape(route: Route, result: unknown, reply: FastifyReply): unknown {
  if (reply.sent) return reply
  switch (route.answer) {
    case 'nothing':
      return reply.code(204).send()
    case 'redirect':
      return reply.redirect(result as string, 303)
    case 'html':
      return reply.type('text/html; charset=utf-8').send(result)
    default:
      return reply.code(route.status ?? 200).send(z.parse(route.answer, result))
  }
}
