import type { ScimLogRow } from '#contract/scim/scim.ts'
import { invitationLimits } from '#server/features/invitations/invitations.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { actorOf } from '#server/platform/http/run-use-case.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Directory, Session, System } from '#server/platform/system.ts'
import type { Work } from './admit-person.ts'
import { findPlace } from './place.repository.ts'
import type { Json, Note } from './protocol/value.ts'
import { unknownNames } from './scim-answers.ts'
import { insertLogEntry } from './scim-log.repository.ts'
import { tokenStands } from './token-power.repository.ts'

/** What every request that changes something has. */
export interface ChangeContext extends Pick<System, 'config' | 'keys' | 'outbox' | 'limits'> {
  db: Db
  now: Date
  requestId: string
  session?: Session | undefined
  directory?: Directory | undefined
  query?: Json | undefined
  transact<Result>(work: (db: Db, audit: (entry: AuditEntry) => void) => Promise<Result>): Promise<Result>
}

/** Whose log a request stands in, and what is known about it so far. */
export interface Logged {
  organizationId: string
  directory: string
  method: ScimLogRow['method']
  about: string | null
  scimUserId: string | null
  status: number
}

export const loggedOf = ({ organizationId, name }: Directory, method: Logged['method'], status: number): Logged => ({
  organizationId,
  directory: name,
  method,
  status,
  about: null,
  scimUserId: null,
})

/**
 * Runs a change with its row of the log: in the same transaction, or after a refusal in one of its own.
 *
 * @param mayInvite the organisation may send an invitation now
 */
export async function changeResource<Result>(
  context: ChangeContext,
  logged: Logged,
  { mayInvite, change }: { mayInvite: boolean; change: (work: Work) => Promise<Result> },
): Promise<Result> {
  const { db, now, transact, requestId, directory } = context
  const by = actorOf(context)
  try {
    return await transact(async (trx, audit) => {
      const work: Work = {
        db: trx,
        audit,
        system: context,
        now,
        deeds: [],
        notes: unknownNames(context.query),
        mayInvite,
        stands: !directory || (await tokenStands(trx, directory.tokenId)),
        acting: by && { id: by.id, label: by.label, requestId, tokenId: directory?.tokenId },
      }
      const result = await change(work)
      await insertLogEntry(trx, { ...logged, problem: null, deeds: work.deeds, notes: work.notes }, now)
      return result
    })
  } catch (error) {
    if (error instanceof Problem && error.status < 500) await logRefusal(db, logged, error, now)
    throw error
  }
}

/** Leaves a row for a request that reads, where its query or filter has names that mean nothing. */
export async function logUnknownNames({
  db,
  now,
  directory,
  query,
  notes: found = [],
}: {
  db: Db
  now: Date
  directory: Directory
  query?: Json | undefined
  /** Of its filter. */
  notes?: readonly Note[]
}): Promise<void> {
  const notes = [...unknownNames(query), ...found]
  if (notes.length === 0) return
  await insertLogEntry(db, { ...loggedOf(directory, 'GET', 200), problem: null, deeds: [], notes }, now)
}

/** Leaves a row for a request that was refused. */
export const logRefusal = (db: Db, logged: Logged, { status, key }: Problem, now: Date) =>
  insertLogEntry(
    db,
    { ...logged, scimUserId: null, status: status === 422 ? 400 : status, problem: key, deeds: [], notes: [] },
    now,
  )

/** Counts an invitation that this address would get. @returns false beyond the limits, or by a token that invites nobody: it waits */
export async function takeInvitation(
  { db, limits, now, directory }: Pick<ChangeContext, 'db' | 'limits' | 'now' | 'directory'>,
  of: { organizationId: string; email: string },
): Promise<boolean> {
  if (directory && !(await tokenStands(db, directory.tokenId))) return false
  const place = await findPlace(db, of, now)
  const opens = place?.samlConfigId != null && !place.account
  const isThere = place?.account?.isMember || (place?.invitation && !place.invitation.expired)
  if (!place || opens || isThere) return true
  const keys: LimitKey[] = [{ name: 'invitationOfOrganization', key: of.organizationId }, ...invitationLimits(of)]
  try {
    await limits.take(db, keys, now)
    return true
  } catch (error) {
    if (error instanceof Problem && error.status === 429) return false
    throw error
  }
}
