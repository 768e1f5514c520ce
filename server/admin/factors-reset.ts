import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { endKey } from '#server/credentials/end-passkey.ts'
import { deleteApp } from '#server/credentials/factors/authenticator-apps.repository.ts'
import { forgetUsual } from '#server/credentials/factors/factors.repository.ts'
import { notifyOfFactor } from '#server/credentials/factors/notify-of-factor.ts'
import { deleteRecoveryCodes } from '#server/credentials/factors/recovery-codes.repository.ts'
import { lockKeys } from '#server/credentials/passkeys/passkeys.repository.ts'
import { findPerson, type Person } from '#server/credentials/people.repository.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import { type AuditEntry, writeAuditEvent } from '#server/platform/audit/audit.ts'
import { newId } from '#server/platform/ids.ts'
import type { System } from '#server/platform/system.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '--email <address> --reason <text>',
  summary:
    'remove the app, passkeys and recovery codes of somebody who has lost them; they are mailed, and set up new ones',
  options: { email: { type: 'string' }, reason: { type: 'string' } },
  async run({ config, values: { email, reason }, say }) {
    if (typeof email !== 'string' || typeof reason !== 'string' || reason.trim() === '')
      throw new UsageError('--email and --reason are required')
    const address = z.safeParse(emailField, email)
    if (!address.success) throw new UsageError(`${email} is not an e-mail address`)
    return await withSystem({
      config,
      say,
      async work(system) {
        const person = await findPerson(system.db, address.data)
        if (!person) {
          say(`There is no account of ${address.data}.`)
          return 1
        }
        const removed = await resetFactors(system, person, reason.trim().slice(0, 500))
        say(`Removed: ${removed}. Every session of ${person.email} has ended.`)
        return 0
      },
    })
  },
}

/** All factors beyond the sign-in method, in one transaction, with an event and a mail for each. */
const resetFactors = ({ db, config, outbox, clock }: System, person: Person, reason: string): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { accountId, email, organizationIds } = person
    const now = clock()
    const write = (event: Pick<AuditEntry, 'name' | 'before'>) =>
      writeAuditEvent(
        trx,
        { ...event, target: { id: accountId, label: email }, after: { reason }, organizationIds },
        { requestId: newId(), now },
      )
    const keys = await lockKeys(trx, accountId)
    for (const { id, name } of keys) {
      await endKey({ outbox, config, now }, trx, { id, name, person, because: 'removed' })
      await write({ name: 'deletePasskey', before: { passkey: name } })
    }
    const hadApp = await deleteApp(trx, accountId)
    if (hadApp) {
      await notifyOfFactor({ outbox, config, now }, trx, person, 'appRemoved')
      await write({ name: 'removeAuthenticatorApp' })
    }
    await deleteRecoveryCodes(trx, accountId)
    for (const gone of ['app', 'passkey'] as const) await forgetUsual(trx, accountId, gone)
    await endAllSessions(trx, accountId)
    return keys.length + (hadApp ? 1 : 0)
  })
