import type { Actor, Permission, PermissionTarget } from '#contract/permissions.ts'
import type { AnswerOf, InputOf, ParamsOf, QueryOf, Route, Routes } from '#contract/route.ts'
import type { AuditEntry } from './audit.ts'
import type { Db } from './database.ts'
import type { Http, Session, System } from './system.ts'

/** What a use case gets: the system, the checked request, and the ways to leave a trace. */
export interface RequestContext<R = Route> extends Omit<System, 'db' | 'pool' | 'close'> {
  /** The transaction of the request; outside one (a read, or `atomic: false`) the pool. */
  db: Db
  params: ParamsOf<R>
  query: QueryOf<R>
  input: InputOf<R>
  /** Who asks; only a public call may be asked by nobody. */
  actor: R extends { access: 'public' } ? Actor | undefined : Actor
  session: R extends { access: 'public' } ? Session | undefined : Session
  now: Date
  /** The client's address, through trusted proxies only. */
  ip: string
  requestId: string
  http: Http
  /** The one event that this call leaves; written at the end of its transaction. */
  audit(entry: AuditEntry): void
  /**
   * Checks the declared permission on what the handler loaded.
   *
   * @throws Problem 404 where it is out of the actor's reach, exactly as if it were missing
   */
  allow<Name extends Permission>(name: Name, target: PermissionTarget<Name>): void
  /**
   * Checks a permission on something that the actor may see but perhaps not change.
   *
   * @throws Problem 403 `forbidden`
   */
  require<Name extends Permission>(name: Name, target?: PermissionTarget<Name>): void
  /**
   * For `atomic: false` alone: a transaction of its own, with the audit event in it.
   * Work that is slow or waits stays outside.
   */
  transact<Result>(work: (db: Db, audit: (entry: AuditEntry) => void) => Promise<Result>): Promise<Result>
}

/** One function for each call of a group; a forgotten one does not compile. */
export type Handlers<Group extends Routes> = {
  [Name in keyof Group]: (context: RequestContext<Group[Name]>) => Promise<AnswerOf<Group[Name]>>
}
