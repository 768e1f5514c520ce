import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Permission } from '#contract/permissions.ts'
import { isOfMachine, type Route, type Routes } from '#contract/route.ts'
import { translateDatabaseError } from '../database/database-problems.ts'
import { addressKey } from '../limits/address.ts'
import { Problem } from '../problem.ts'
import type {
  Directory,
  HasFreshProof,
  Machine,
  ReadDirectory,
  ReadMachine,
  ReadSession,
  Session,
  System,
} from '../system.ts'
import { checkAccess, checkNamedTarget } from './access-checks.ts'
import { createIdempotentRequest } from './idempotency.ts'
import { takeBack } from './read-only-fields.ts'
import { noteChange } from './recent-change.ts'
import type { Handlers } from './request-context.ts'
import { parseInput } from './request-parsing.ts'
import { toRoutePattern } from './route-pattern.ts'
import { type Handler, recheckAccess, runUseCase } from './run-use-case.ts'
import { sendAnswer } from './send-answer.ts'

/**
 * Registers a group of routes on the server, each with the whole request pipeline.
 *
 * Only the pipeline reads the session, checks access, parses the request, opens the transaction, checks the audit events
 * and validates the response. A handler contains only the use case.
 */
export function serveRoutes<Group extends Routes>(
  app: FastifyInstance,
  {
    system,
    readSession,
    readMachine,
    readDirectory,
    hasFreshProof,
    routes,
    handlers,
  }: {
    system: System
    readSession: ReadSession
    readMachine: ReadMachine
    readDirectory: ReadDirectory
    hasFreshProof: HasFreshProof
    routes: Group
    handlers: Handlers<Group>
  },
): void {
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const handler = handlers[name] as unknown as Handler
    app.route({
      method: route.method,
      url: toRoutePattern(route.url),
      bodyLimit: route.bodyLimit ?? 64 * 1024,
      config: { route },
      handler: (request, reply) =>
        answer({
          ...{ app, system, readSession, readMachine, readDirectory, hasFreshProof, route, handler },
          ...{ request, reply, now: system.clock() },
        }),
    })
  }
}

interface Exchange {
  app: FastifyInstance
  system: System
  readSession: ReadSession
  readMachine: ReadMachine
  readDirectory: ReadDirectory
  hasFreshProof: HasFreshProof
  route: Route
  handler: Handler
  request: FastifyRequest
  reply: FastifyReply
  now: Date
}

/** From request to response; each step may reject the request with a Problem. */
async function answer(exchange: Exchange): Promise<unknown> {
  const { system, route, request, reply, now } = exchange
  await limitAddress(exchange)
  const session = await identify(exchange)
  const machine = await identifyMachine(exchange)
  const directory = await identifyDirectory(exchange)
  checkAccess(route, session, machine ?? directory)
  limitCalls(exchange, session?.key ?? machine?.clientId ?? directory?.organizationId)
  const parsed = await parseRequest(exchange)
  checkRouteTarget(route, session, parsed)
  if (system.readCopy && route.method !== 'GET') noteChange(reply, system.config)
  const isFresh = await readProof(exchange, session)
  const repetition = createIdempotentRequest(system, { request, reply, route, session, now })
  const call = { ...exchange, ...parsed, session, machine, directory, repetition, isFresh }
  const run = async () => {
    const answered = await runUseCase(call)
    // The call has succeeded, whether or not its point can be given back.
    if (route.limitCounts === 'failures')
      await system.limits.refund(system.db, addressLimit(exchange), now).catch(() => undefined)
    return sendAnswer(route, answered, reply)
  }
  return repetition ? repetition.once(run, () => recheckAccess(call)) : run()
}

const addressLimit = ({ route, request }: Exchange) =>
  route.limit && route.limitCounts !== 'byHandler' ? [{ name: route.limit, key: addressKey(request.ip) }] : []

const limitAddress = async (exchange: Exchange): Promise<unknown> =>
  exchange.system.limits.take(exchange.system.db, addressLimit(exchange), exchange.now).catch(translateDatabaseError)

const identify = async ({ route, readSession, request }: Exchange): Promise<Session | undefined> =>
  route.session === false || isOfMachine(route.access) ? undefined : readSession(request)

async function identifyMachine({ route, readMachine, request, reply }: Exchange): Promise<Machine | undefined> {
  if (route.access !== 'machine') return undefined
  const machine = await readMachine(request)
  // RFC 6750, 3.
  if (!machine) reply.header('www-authenticate', 'Bearer')
  return machine
}

async function identifyDirectory({ route, readDirectory, request, reply }: Exchange): Promise<Directory | undefined> {
  if (route.access !== 'scim') return undefined
  const directory = await readDirectory(request)
  if (!directory) reply.header('www-authenticate', 'Bearer')
  return directory
}

const limiterOf = (system: System, { callLimit }: Route) =>
  ({ decision: system.decisionLimiter, scim: system.directoryLimiter, api: system.callLimiter })[callLimit ?? 'api']

function limitCalls({ system, route, now }: Exchange, caller: string | undefined): void {
  const limiter = limiterOf(system, route)
  const retryAfter = caller ? limiter.take(caller, now) : 0
  if (retryAfter === 0) return
  system.counters.limitsHit.inc({ limit: route.callLimit ?? 'api' })
  throw new Problem(429, 'tooManyRequests', { retryAfter })
}

interface Parsed {
  params: unknown
  query: unknown
  input: unknown
}

async function parseRequest({ app, route, request }: Exchange): Promise<Parsed> {
  const params = parseInput(route.params, request.params, 404)
  const status = route.wrongInput ?? 422
  const query = parseInput(route.query, undefinedIfEmpty(request.query), status)
  const input = parseInput(route.input, (await takeBack(app, route, request)) ?? undefined, status)
  return { params, query, input }
}

const undefinedIfEmpty = (query: unknown) =>
  query && typeof query === 'object' && Object.keys(query).length > 0 ? query : undefined

function checkRouteTarget(route: Route, session: Session | undefined, parsed: Parsed): void {
  if (typeof route.target === 'function')
    checkNamedTarget(session, route.access as Permission, route.target(parsed as never))
}

/** @throws Problem 403 `freshProofRequired` for a call that is dangerous whatever it says */
async function readProof({ route, hasFreshProof, now }: Exchange, session: Session | undefined): Promise<boolean> {
  if (!session || (route.freshProof !== true && route.freshProof !== 'loaded')) return false
  const isFresh = await hasFreshProof(session, now).catch(translateDatabaseError)
  if (!isFresh && route.freshProof === true) throw new Problem(403, 'freshProofRequired')
  return isFresh
}
