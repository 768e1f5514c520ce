import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { lockUser } from '#server/accounts/stored-user.repository.ts'
import { labelled, organizationIdsOf } from '#server/accounts/user-audit.ts'
import { type FactorRemoval, removeEveryFactor } from '#server/credentials/factors/remove-every-factor.ts'
import { findPerson } from '#server/credentials/people.repository.ts'
import { endAllSessions } from '#server/oidc/end-sessions.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
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
        const removed = await resetFactors(system, person.accountId, reason.trim().slice(0, 500))
        if (removed.length === 0) {
          say(`${person.email} has no app, passkey or recovery codes. Nothing has changed.`)
          return 1
        }
        say(`Removed: ${removed.join(', ')}. Every session of ${person.email} has ended.`)
        return 0
      },
    })
  },
}

const words: Record<FactorRemoval['name'], string> = {
  deletePasskey: 'passkey',
  removeAuthenticatorApp: 'authenticator app',
  removeRecoveryCodes: 'recovery codes',
}

/** In one transaction, with an event and a mail for each, as after the help of an admin. @returns what was removed */
const resetFactors = ({ db, config, outbox, clock }: System, accountId: string, reason: string): Promise<string[]> =>
  inTransaction(db, async (trx) => {
    const now = clock()
    const owner = found(await lockUser(trx, accountId))
    const about = { target: labelled(owner), organizationIds: organizationIdsOf(owner), after: { reason } }
    const requestId = newId()
    const removed: string[] = []
    const hadSome = await removeEveryFactor({ outbox, config, now }, trx, owner, async (removal) => {
      removed.push([words[removal.name], removal.before?.passkey].filter(Boolean).join(' '))
      await writeAuditEvent(trx, { ...removal, ...about }, { requestId, now })
    })
    if (hadSome && removed.length === 0) {
      removed.push('confirmed numbers')
      await writeAuditEvent(trx, { name: 'recoverAccount', ...about }, { requestId, now })
    }
    if (hadSome) await endAllSessions(trx, accountId)
    return removed
  })
