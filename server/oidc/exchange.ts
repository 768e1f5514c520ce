import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** What the provider's callbacks need of the house's request: they get Node's own. */
const exchanges = new WeakMap<IncomingMessage, FastifyRequest>()

/** @param message what the provider sees, where it is not the request itself */
export const rememberExchange = (request: FastifyRequest, message: IncomingMessage = request.raw) =>
  void exchanges.set(message, request)
export const exchangeOf = (message: IncomingMessage): FastifyRequest | undefined => exchanges.get(message)
