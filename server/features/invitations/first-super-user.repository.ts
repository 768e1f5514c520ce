import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { newId } from '#server/platform/ids.ts'
import { expiryOf } from './send-invitations.ts'

export const findAnySuperUser = (db: Db) =>
  db.selectFrom('users').select('accountId').where('superUser', '=', true).limit(1).executeTakeFirst()

/** @returns undefined if an invitation is already open */
export const inviteToPortal = (
  db: Db,
  email: string,
  now: Date,
): Promise<Pick<Selectable<DB['invitations']>, 'invitationId' | 'email' | 'tokenVersion'> | undefined> =>
  db
    .insertInto('invitations')
    .values({ invitationId: newId(), email, sentAt: now, createdAt: now, expiresAt: expiryOf(now) })
    .onConflict((conflict) =>
      conflict
        .constraint('invitation_once')
        .doUpdateSet({
          sentAt: now,
          expiresAt: expiryOf(now),
          outboxId: null,
          tokenVersion: sql`invitations.token_version + 1`,
        })
        .where('invitations.expiresAt', '<=', now),
    )
    .returning(['invitationId', 'email', 'tokenVersion'])
    .executeTakeFirst()
