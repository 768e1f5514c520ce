import type { FastifyRequest } from 'fastify'
import type { RawBuilder } from 'kysely'
import { type AdapterPayload, Provider } from 'oidc-provider'
import { exchangeOf } from './exchange.ts'
import type { Proof } from './proof.ts'

/**
 * A sign-in that ends within the request that proved it. What it leaves is written in one statement together with the
 * session, once the provider has worked that out: everything or nothing (decision 0019).
 */
export interface Completion {
  uid: string
  proof: Proof
  /** The open interaction, as it is stored. */
  payload: AdapterPayload
  expiresAt: Date
  /**
   * @param session the expression `saved`, which inserts the session where `noted` has a row: the person, once `finished`
   * @returns false when the interaction ended in the meantime, or what was proven does not count any more
   */
  write(session: RawBuilder<unknown>): Promise<boolean>
  /** Undefined as long as the provider has stored no session. */
  outcome?: 'done' | 'over'
  /** What kept it from being written. */
  failure?: unknown
}

const completions = new WeakMap<FastifyRequest, Completion>()

export const beginCompletion = (request: FastifyRequest, completion: Completion) =>
  void completions.set(request, completion)

/**
 * The completion that the provider works at, until it is written.
 *
 * @throws what kept it from being written: the provider stores a session once more where that failed, and nothing may
 * be left of a sign-in but all of it
 */
export function openCompletion(): Completion | undefined {
  const request = Provider.ctx && exchangeOf(Provider.ctx.req)
  const completion = request && completions.get(request)
  if (completion?.failure) throw completion.failure
  return completion?.outcome ? undefined : completion
}

/** Writes it. Where the interaction is over there is no session either, and nobody is told of one. */
export async function complete(completion: Completion, session: RawBuilder<unknown>): Promise<void> {
  try {
    completion.outcome = (await completion.write(session)) ? 'done' : 'over'
  } catch (error) {
    completion.failure = error
    throw error
  }
}
