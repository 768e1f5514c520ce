import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { createAttached } from '#server/platform/attached.ts'

/** Maps Node's request, which the provider's callbacks get, to the Fastify request. */
const exchanges = createAttached<IncomingMessage, FastifyRequest>('exchange')

/** @param message the request that the provider gets, where it differs from the raw one */
export const linkRequest = (request: FastifyRequest, message: IncomingMessage = request.raw) =>
  void exchanges.set(message, request)
export const findRequest = (message: IncomingMessage): FastifyRequest | undefined => exchanges.get(message)
