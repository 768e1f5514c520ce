import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** What the provider's callbacks need of the house's request: they get Node's own. */
const exchanges = new WeakMap<IncomingMessage, FastifyRequest>()

export const rememberExchange = (request: FastifyRequest) => void exchanges.set(request.raw, request)
export const exchangeOf = (message: IncomingMessage): FastifyRequest | undefined => exchanges.get(message)
