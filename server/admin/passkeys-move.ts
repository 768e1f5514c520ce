import { endKey } from '#server/credentials/end-passkey.ts'
import { type Loser, listLosers } from '#server/credentials/passkeys/domain.repository.ts'
import { lockKeys } from '#server/credentials/passkeys/passkeys.repository.ts'
import { findPerson } from '#server/credentials/people.repository.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { newId } from '#server/platform/ids.ts'
import { found } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import type { Command } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '[--end]',
  summary: 'list who loses passkeys to a new PASSKEY_RP_ID; --end ends those passkeys and mails the people',
  options: { end: { type: 'boolean' } },
  run: ({ config, values, say }) =>
    withSystem({
      config,
      say,
      async work(system) {
        const losers = await listLosers(system.db, config.passkeyRpId)
        if (losers.length === 0) {
          say(`Nobody has passkeys of another domain than ${config.passkeyRpId}.`)
          return 0
        }
        for (const { email, keys, rpId, losesEverything } of losers)
          say(`${email}: ${keys} of ${rpId}${losesEverything ? ', and has no other way to sign in' : ''}`)
        if (values.end !== true) {
          say(`Nothing has changed. --end ends these passkeys, so that new ones can be made for ${config.passkeyRpId}.`)
          return 0
        }
        for (const loser of losers) await endAll(system, loser)
        say(`Ended. New passkeys are for ${config.passkeyRpId}.`)
        return 0
      },
    }),
}

/** All keys of a person in one transaction, with an event and a mail for each. */
const endAll = ({ db, config, outbox, clock }: System, { accountId, email }: Loser) =>
  db.transaction().execute(async (trx) => {
    const now = clock()
    const person = found(await findPerson(trx, email))
    for (const { id, name } of await lockKeys(trx, accountId, { notOf: config.passkeyRpId })) {
      await endKey({ outbox, config, now }, trx, { id, name, person, because: 'moved' })
      const event = {
        name: 'deletePasskey',
        target: { id: accountId, label: email },
        before: { passkey: name },
        organizationIds: person.organizationIds,
      } as const
      await writeAuditEvent(trx, event, { requestId: newId(), now })
    }
  })
