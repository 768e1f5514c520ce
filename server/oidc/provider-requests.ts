import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** Maps Node's request, which the provider's callbacks get, to the Fastify request. */
const exchanges = new WeakMap<IncomingMessage, FastifyRequest>()

/** @param message the request that the provider gets, where it differs from the raw one */
export const linkRequest = (request: FastifyRequest, message: IncomingMessage = request.raw) =>
  void exchanges.set(message, request)
export const findRequest = (message: IncomingMessage): FastifyRequest | undefined => exchanges.get(message)
