import type { FastifyRequest } from 'fastify'
import type { SignInMethod } from '#contract/roles.ts'
import { toNetwork } from '../limits/address.ts'
import { deviceName } from './user-agent.ts'

interface SignInTrace {
  method: SignInMethod
  /** The OpenID Connect client of the sign-in or sign-out: `portal`, or the client id of a service. */
  client: string
}

/**
 * The details in the `after` of sign-in and sign-out events: enough for users to recognise their own sign-ins, too little
 * to identify a person.
 */
export function createSignInTrace(
  { ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>,
  { method, client }: SignInTrace,
): Record<string, unknown> {
  return { method, client, address: toNetwork(ip), browser: deviceName(headers['user-agent']) }
}
