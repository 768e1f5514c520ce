import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { createAttached } from '#server/platform/attached.ts'
import type { ReadRow } from './read-row.ts'
import type { TrialOf } from './trial.ts'
import type { WaitingWrites } from './waiting-writes.ts'

/** What the log says of a refused request. */
export interface Refusal {
  /** As the request named it. */
  clientId: string | undefined
  endpoint: string
  error: string
  reason: string | undefined
}

/** A session as a request read it. */
export interface KnownSession {
  idHash: Buffer
  /** JSON by client: what another request has changed since counts, and not what this one made since. */
  authorizations: ReadonlyMap<string, string>
}

/** Everything that we keep of a request of the provider until it is answered. */
export interface RequestRecord {
  /** The portal's request behind it. */
  exchange?: FastifyRequest
  /** Present for an internal request, whose answer is not sent: how it failed. */
  internal?: { failed?: unknown }
  context?: KoaContextWithOIDC
  /** Present for a request on trial. */
  trial?: TrialOf | undefined
  /** Becomes an event at the end of the request. */
  refusal?: Refusal
  /** By id: codes and tokens that are being read. */
  tokens: Map<string, Promise<ReadRow | undefined>>
  /** What was read with them. */
  rows: (ReadRow & { id: string })[]
  /** By uid. */
  sessions: Map<string, KnownSession>
  /** What the provider saves; undefined outside of its own middleware. */
  writes?: WaitingWrites
}

const records = createAttached<IncomingMessage, RequestRecord>('record')

/** The record of a request. */
export function recordOf(message: IncomingMessage): RequestRecord {
  const known = records.get(message)
  if (known) return known
  const record: RequestRecord = { tokens: new Map(), rows: [], sessions: new Map() }
  records.set(message, record)
  return record
}

/** The record of the request that the provider handles now; undefined outside of requests. */
export const presentRecord = (): RequestRecord | undefined => Provider.ctx && recordOf(Provider.ctx.req)

/** Lets go of what a request that is over held. */
export function forgetRecord(message: IncomingMessage): void {
  records.set(message, { tokens: new Map(), rows: [], sessions: new Map() })
}

/** @param message the request that the provider gets, where it differs from the raw one */
export const linkRequest = (request: FastifyRequest, message: IncomingMessage = request.raw): void => {
  recordOf(message).exchange = request
}

/** The portal's request behind the one that the provider's callbacks get. */
export const findRequest = (message: IncomingMessage): FastifyRequest | undefined => recordOf(message).exchange
