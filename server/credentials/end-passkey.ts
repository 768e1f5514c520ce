import { forgetUsual } from '#server/credentials/factors/factors.repository.ts'
import type { Db } from '#server/platform/database/database.ts'
import { tellOfPasskey } from './passkeys/passkey-mails.ts'
import { endStoredKey, type KeyEnd } from './passkeys/passkeys.repository.ts'

interface EndedKey {
  id: string
  name: string
  person: Parameters<typeof tellOfPasskey>[2]['person']
  because: KeyEnd
}

/**
 * Ends a person's key in the caller's transaction: a mail tells them, and sign-in asks for what is left. The event is the
 * caller's.
 */
export async function endKey(
  context: Parameters<typeof tellOfPasskey>[0],
  db: Db,
  { id, name, person, because }: EndedKey,
): Promise<void> {
  await endStoredKey(db, id, because, context.now)
  // Only its owner may choose that the password is enough again, and not who copied the key.
  await forgetUsual(db, person.accountId, 'passkey', {
    rpId: context.config.passkeyRpId,
    wasTaken: because !== 'removed',
  })
  await tellOfPasskey(context, db, { what: because === 'counter' ? 'stopped' : 'removed', name, person })
}
