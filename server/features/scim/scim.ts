// The public interface of this room: how the door knows a directory, and what a set-up link does about it.
import type { FastifyRequest } from 'fastify'
import { translateDatabaseError } from '#server/platform/database/database-problems.ts'
import { hashToken } from '#server/platform/secrets/tokens.ts'
import type { ReadDirectory, System } from '#server/platform/system.ts'
import * as makes from './make-token.ts'
import * as answers from './scim-answers.ts'
import * as tokens from './tokens.repository.ts'

const bearer = /^Bearer (vst_scim_[\w-]{43})$/i

/** Reads the token by which the directory of an organisation calls. */
export const createReadDirectory =
  ({ db, clock }: Pick<System, 'db' | 'clock'>): ReadDirectory =>
  async ({ headers }: FastifyRequest) => {
    const token = bearer.exec(headers.authorization ?? '')?.[1]
    return token === undefined
      ? undefined
      : tokens.findDirectory(db, hashToken(token), clock()).catch(translateDatabaseError)
  }

/** For the set-up links of an organisation's IT. */
export const { makeToken, describeToken } = makes
export const { listTokens, lockOrganization } = tokens
export const { scimAddress } = answers
