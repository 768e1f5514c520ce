import type { Db } from '#server/platform/database/database.ts'
import { hashId } from '../hash-id.ts'

interface Link {
  /** The uid of the interaction that the person was signed in for. */
  interaction: string
  accountId: string
  sessionUid: string
}

/** Ties what an identity provider called the person to the session that the sign-in made, for single logout. */
export async function linkSamlSession(db: Db, { interaction, accountId, sessionUid }: Link): Promise<void> {
  await db
    .updateTable('samlSessions')
    .set({ sessionUid })
    .where('interactionHash', '=', hashId(interaction))
    .where('accountId', '=', accountId)
    .where('sessionUid', 'is', null)
    .execute()
}
