import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '#contract/actor.ts'
import type { PortalRole } from '#contract/portal-roles.ts'
import type { Language, LoginMethod } from '#contract/roles.ts'
import type { Config } from '#server/config.ts'
import type { Clock } from './clock.ts'
import type { Counters } from './counters.ts'
import type { Database } from './database/database.ts'
import type { ReadCopy } from './database/read-copy.ts'
import type { CallLimiter } from './limits/call-limiter.ts'
import type { Limits } from './limits/limits.ts'
import type { Outbox } from './messages/outbox.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { Quarantine } from './quarantine/quarantine.ts'
import type { Keys } from './secrets/keys.ts'
import type { LeakedPasswords } from './secrets/leaked-passwords.ts'
import type { Passwords } from './secrets/passwords.ts'

/** The user of a session, read together with it so that handlers need no second query for the user's own row. */
export interface SessionUser {
  accountId: string
  email: string
  firstName: string | null
  lastName: string | null
  /** Decrypted with `unsealSsn`. */
  ssnSealed: Buffer | null
  /** What has proven the number; null for a claim. */
  ssnProof: string | null
  phoneNumber: string | null
  preferredLanguage: Language | null
  loginMethod: LoginMethod
  superUser: boolean
  /** Today's role in the portal, beside super user. */
  portalRole: PortalRole | null
  passwordMustChange: boolean
  /** Must set up a second factor before anything else: a super user, the holder of a portal role, or somebody whose factors an admin's help took off. */
  mustEnrol: boolean
  /** Version of the row, for optimistic locking. */
  version: number
}

/** The own memberships that a session does not reach: their sign-in asks for more than it has proven. */
export interface HeldBack {
  organizations: readonly (Actor['organizations'][number] & {
    /** The sign-in method that the organisation asks for. */
    needs: LoginMethod
  })[]
  services: Actor['services']
}

/** The session of a request and its user, as the database has them at this moment. */
export interface Session {
  /** Hex of the hash under which the session is stored. Names it in logs and limits; useless to a thief. */
  key: string
  /** Stays when the session gets a new id, and with it another key. */
  uid: string
  actor: Actor
  heldBack: HeldBack
  /** The methods that were proven in this session (RFC 8176). */
  amr: readonly string[]
  /** The label that audit events store: the user's e-mail address. */
  label: string
  user: SessionUser
  expiresAt: Date
  /** When each factor was last proven in this session, in milliseconds since the epoch. */
  proofs: Readonly<Record<string, number>>
}

/** Reads the session, which belongs to the OpenID Provider. The platform does not know how. */
export type ReadSession = (request: FastifyRequest) => Promise<Session | undefined>

/** Whether the person has proven themselves in the last minutes, as strongly as their account can. The platform does not know how. */
export type HasFreshProof = (session: Session, now: Date) => Promise<boolean>

/** A service that calls for itself. */
export interface Machine {
  clientId: string
  serviceId: string
  serviceName: string
}

/** Reads the token of a service, which is the provider's, too. */
export type ReadMachine = (request: FastifyRequest) => Promise<Machine | undefined>

/** The directory of an organisation, which sends its people by SCIM. */
export interface Directory {
  tokenId: string
  /** What the organisation calls it; audit events name it as who did something. */
  name: string
  organizationId: string
  organizationName: string
}

/** Reads the token of a directory. The platform does not know how. */
export type ReadDirectory = (request: FastifyRequest) => Promise<Directory | undefined>

/** Everything that a handler may need, passed in so that a test can pass its own clock and mailer. */
export interface System extends Database {
  /** Names this process among those that serve the same database. */
  nodeId: string
  /** Where a call with `mayLag` may read; undefined without DATABASE_READ_URL. */
  readCopy: ReadCopy | undefined
  /** Of the portal. */
  version: string
  counters: Counters
  config: Config
  clock: Clock
  keys: Keys
  limits: Limits
  outbox: Outbox
  outgoing: Outgoing
  passwords: Passwords
  leakedPasswords: LeakedPasswords
  quarantine: Quarantine
  callLimiter: CallLimiter
  /** Services' questions whether somebody may do something. */
  decisionLimiter: CallLimiter
  /** Calls of each organisation's directory. */
  directoryLimiter: CallLimiter
  /** Sign-ins that strangers begin at this process, from all addresses. */
  strangerLimiter: CallLimiter
  log: FastifyBaseLogger
}

/** Request and reply, for the few features that set cookies or call the provider. */
export interface Http {
  request: FastifyRequest
  reply: FastifyReply
}
