import { type Selectable, sql } from 'kysely'
import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { fallbackLanguage } from '#contract/languages.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { DB } from '#server/platform/database/database-types.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { newId } from '#server/platform/ids.ts'
import type { System } from '#server/platform/system.ts'
import { findAccountAt } from './account-at-address.repository.ts'
import { expiryOf, sendInvitations } from './send-invitations.ts'

/**
 * Invites BOOTSTRAP_EMAIL as the first super user, when the database has none. When several processes start at the same
 * time, only one of them invites. An expired invitation is sent again at the next start.
 */
export async function inviteFirstSuperUser(system: System, say: (line: string) => void): Promise<void> {
  const { config, db: pool, clock } = system
  if (!config.bootstrapEmail) return
  const read = z.safeParse(emailField, config.bootstrapEmail)
  if (!read.success) return say(`BOOTSTRAP_EMAIL: ${config.bootstrapEmail} is not an address that can be invited.`)
  const email = read.data
  const outcome = await inTransaction(pool, async (db) => {
    if (await findAnySuperUser(db)) return 'there is one' as const
    if (await findAccountAt(db, email)) return 'taken' as const
    const now = clock()
    const invitation = await inviteToPortal(db, email, now)
    if (!invitation) return 'invited already' as const
    await sendInvitations(system, db, [invitation], {
      organization: null,
      inviter: null,
      message: null,
      language: fallbackLanguage,
      now,
    })
    await writeAuditEvent(
      db,
      {
        name: 'inviteUser',
        target: { id: invitation.invitationId, label: email },
        ...(invitation.tokenVersion === 1 ? { after: { superUser: true } } : {}),
      },
      { requestId: 'start', now },
    )
    return 'invited' as const
  })
  if (outcome === 'taken')
    say(`BOOTSTRAP_EMAIL: ${email} has an account already; npm run admin -- create-super-user makes it a super user.`)
  if (outcome === 'invited' || outcome === 'invited already')
    say(
      config.smtpUrl
        ? `The first super user, ${email}, has an invitation by mail.`
        : `The first super user, ${email}, has an invitation: ${config.baseUrl}/dev/outbox shows the mail with its link.`,
    )
}

const findAnySuperUser = (db: Db) =>
  db.selectFrom('users').select('accountId').where('superUser', '=', true).limit(1).executeTakeFirst()

/** @returns undefined if an invitation is already open */
const inviteToPortal = (
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
