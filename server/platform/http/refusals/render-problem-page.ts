import type { FastifyRequest } from 'fastify'
import type { MessageKey } from '#contract/message-key.ts'

/**
 * Renders the page of a failed navigation; the sign-in feature implements it.
 *
 * @param again path on this origin for a retry; the portal's own address for a request to another one
 */
export type RenderProblemPage = (request: FastifyRequest, status: number, key: MessageKey, again?: string) => string
