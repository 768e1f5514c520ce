import type { Actor } from '#contract/actor.ts'
import type { Permission, PermissionTarget } from '#contract/permissions.ts'
import type { AnswerOf, InputOf, ParamsOf, QueryOf, Route, Routes } from '#contract/route.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { Db } from '../database/database.ts'
import type { Directory, Http, Machine, Session, System } from '../system.ts'

/** What a handler gets: the system, the validated request, and functions for access checks and audit events. */
export interface RequestContext<R = Route> extends Omit<System, 'db' | 'pool' | 'readCopy' | 'close'> {
  /** The transaction of the request, or the pool (for a read, or with `atomic: false`); a replica, maybe, with `mayLag`. */
  db: Db
  params: ParamsOf<R>
  query: QueryOf<R>
  input: InputOf<R>
  /** The signed-in user; undefined only on public routes. */
  actor: R extends { access: 'public' | 'machine' | 'scim' } ? Actor | undefined : Actor
  session: R extends { access: 'public' | 'machine' | 'scim' } ? Session | undefined : Session
  /** The service that calls for itself, where the route is for those. */
  machine: R extends { access: 'machine' } ? Machine : undefined
  /** The directory that calls, where the route is for those. */
  directory: R extends { access: 'scim' } ? Directory : undefined
  now: Date
  /** The client's IP address; only trusted proxies can set it. */
  ip: string
  requestId: string
  http: Http
  /** Records the audit event of this request; written at the end of its transaction. */
  audit(entry: AuditEntry): void
  /**
   * Checks the declared permission on what the handler loaded.
   *
   * @throws Problem 404 without access, exactly as for a missing target
   */
  allow<Name extends Permission>(name: Name, target: PermissionTarget<Name>): void
  /**
   * Checks a permission on something that the actor may see but maybe not change.
   *
   * @throws Problem 403 `forbidden`
   */
  require<Name extends Permission>(name: Name, target?: PermissionTarget<Name>): void
  /**
   * Of a call with `freshProof: 'loaded'`: says whether this request is dangerous. The door has looked how fresh the proof is.
   *
   * @throws Problem 403 `freshProofRequired` where it is, and the proof is too old or too weak
   */
  requireFreshProof(isDangerous: boolean): void
  /**
   * Only for `atomic: false`: runs the work in a transaction, with its audit event. Do slow work outside of it.
   */
  transact<Result>(work: (db: Db, audit: (entry: AuditEntry) => void) => Promise<Result>): Promise<Result>
}

/** One function for each route of a group; a missing one does not compile. */
export type Handlers<Group extends Routes> = {
  [Name in keyof Group]: (context: RequestContext<Group[Name]>) => Promise<AnswerOf<Group[Name]>>
}
