import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { endKey } from '../end-passkey.ts'
import { lockKeys } from '../passkeys/passkeys.repository.ts'
import { deleteApp } from './authenticator-apps.repository.ts'
import { requireEnrolmentOf } from './factors.repository.ts'
import { forgetNumbers } from './forget-factors.repository.ts'
import { notifyOfFactor } from './notify-of-factor.ts'
import { endRecovery } from './recoveries.repository.ts'
import { deleteRecoveryCodes } from './recovery-codes.repository.ts'

/** What ended; the caller adds whose it was. */
export interface FactorRemoval extends Pick<AuditEntry, 'before'> {
  name: 'deletePasskey' | 'removeAuthenticatorApp' | 'removeRecoveryCodes'
}

/**
 * Takes off every second factor of an account, and mails the person about each. Numbers become unconfirmed, no matter who entered them. Until
 * the person has chosen a factor, before anything else, sign-in asks for a code by mail: the password alone is never enough.
 *
 * @param record writes the event of each
 * @returns false where there was none, and nothing has changed
 */
export async function removeEveryFactor(
  context: Parameters<typeof notifyOfFactor>[0],
  db: Db,
  person: Parameters<typeof notifyOfFactor>[2],
  record: (removal: FactorRemoval) => Promise<void> | void,
): Promise<boolean> {
  const { accountId } = person
  const keys = await lockKeys(db, accountId)
  for (const { id, name } of keys) {
    await endKey(context, db, { id, name, person, because: 'removed' })
    await record({ name: 'deletePasskey', before: { passkey: name } })
  }
  const hadApp = await deleteApp(db, accountId)
  if (hadApp) {
    await notifyOfFactor(context, db, person, 'appRemoved')
    await record({ name: 'removeAuthenticatorApp' })
  }
  const hadCodes = await deleteRecoveryCodes(db, accountId)
  if (hadCodes) {
    await notifyOfFactor(context, db, person, 'recoveryCodesRemoved')
    await record({ name: 'removeRecoveryCodes' })
  }
  const hadNumbers = await forgetNumbers(db, accountId)
  if (keys.length === 0 && !hadApp && !hadCodes && !hadNumbers) return false
  await requireEnrolmentOf(db, accountId)
  // It would take off what the person sets up now.
  await endRecovery(db, accountId)
  return true
}
