import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '#contract/permissions.ts'
import type { Language, LoginMethod } from '#contract/roles.ts'
import type { Config } from '#server/config.ts'
import type { BankId } from './bankid.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database.ts'
import type { Keys } from './keys.ts'
import type { Limits } from './limits.ts'
import type { Outbox } from './outbox.ts'
import type { Passwords } from './passwords.ts'
import type { Usage } from './usage.ts'

/** The person of a session, read along with it so that no use case needs a second statement for the own row. */
export interface SessionUser {
  accountId: string
  email: string
  firstName: string | null
  lastName: string | null
  /** Opened with `openSsn`. */
  ssnSealed: Buffer | null
  phoneNumber: string | null
  preferredLanguage: Language | null
  loginMethod: LoginMethod
  superUser: boolean
  passwordMustChange: boolean
  /** Of the row. */
  version: number
}

/** The session of a request, with who it belongs to as the database says it at this moment. */
export interface Session {
  /** Hex of the hash under which the session is stored; names it in logs and limits without being worth stealing. */
  key: string
  actor: Actor
  /** The label that audit events keep: the person's e-mail address. */
  label: string
  user: SessionUser
  expiresAt: Date
  /** When the person last proved who they are. */
  authenticatedAt: Date
}

/** Reads the one session that there is: the provider's. The floor does not know how. */
export type ReadSession = (request: FastifyRequest) => Promise<Session | undefined>

/** Everything that a use case may need, passed in: a test passes its own clock and mailer. */
export interface System extends Database {
  config: Config
  clock: Clock
  keys: Keys
  limits: Limits
  outbox: Outbox
  passwords: Passwords
  usage: Usage
  /** Undefined where nobody can sign in with BankID: production without BANKID_URL. */
  bankid: BankId | undefined
  log: FastifyBaseLogger
}

/** The two halves of the HTTP exchange, for the few rooms that set cookies or hand over to the provider. */
export interface Http {
  request: FastifyRequest
  reply: FastifyReply
}
