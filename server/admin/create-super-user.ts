import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields.ts'
import { isAddressProven } from '#server/oidc/address-proof.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { newId } from '#server/platform/ids.ts'
import type { System } from '#server/platform/system.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '--email <address> [--first-name <name>] [--last-name <name>]',
  summary: 'make a super user with a temporary password, or make an existing person one',
  options: { email: { type: 'string' }, 'first-name': { type: 'string' }, 'last-name': { type: 'string' } },
  async run({ config, values, say }) {
    if (!values.email) throw new UsageError('--email is required')
    const email = z.safeParse(emailField, values.email)
    if (!email.success) throw new UsageError(`${values.email} is not an e-mail address`)
    const names = {
      firstName: nameFrom(values['first-name'], 'Super'),
      lastName: nameFrom(values['last-name'], 'User'),
    }
    await withSystem({
      config,
      say,
      work: async (system) => {
        for (const line of await createSuperUser(system, { email: email.data, ...names })) say(line)
      },
    })
    return 0
  },
}

function nameFrom(value: string | boolean | undefined, otherwise: string): string {
  const name = String(value ?? otherwise).trim()
  if (name === '' || name.length > 100) throw new UsageError('a name must have 1 to 100 characters')
  return name
}

interface Person {
  email: string
  firstName: string
  lastName: string
}

/** @returns lines for the operator */
export async function createSuperUser(system: System, person: Person): Promise<string[]> {
  const password = temporaryPassword()
  const passwordHash = await system.passwords.hash(password)
  return inTransaction(system.db, async (db) => {
    const found = await db
      .selectFrom('users')
      .select(['accountId', 'superUser', 'pending', 'loginMethod', isAddressProven.as('isProven')])
      .where('email', '=', person.email)
      .forUpdate()
      .executeTakeFirst()
    const isAlready = found?.superUser ?? false
    if (isAlready) return [`${person.email} is a super user already.`]
    if (found?.loginMethod === 'saml')
      return [
        `${person.email} signs in through a company, which never lets a super user in: give them another method first.`,
      ]
    if (found?.pending) return [`${person.email} has not signed in yet: let them do so first.`]
    if (found && !found.isProven)
      return [`The address ${person.email} is not proven: let the person choose a new password by a mailed link first.`]
    if (found) return promote(system, db, { ...person, accountId: found.accountId })
    const accountId = newId()
    await db
      .insertInto('users')
      .values({
        ...{ accountId, ...person, loginMethod: 'local', superUser: true },
        ...{ passwordHash, passwordMustChange: true },
        ...{ emailProof: 'operator', emailProvenAt: system.clock() },
      })
      .execute()
    await recordEvent(system, db, { name: 'createUser', accountId, email: person.email, before: {} })
    return [
      `${person.email} is a super user now.`,
      `Temporary password: ${password}`,
      'It must be changed at the first sign-in.',
    ]
  })
}

async function promote(system: System, db: Db, { accountId, email }: Person & { accountId: string }) {
  await db
    .updateTable('users')
    .set(({ eb }) => ({ superUser: true, passiveAt: null, version: eb('version', '+', 1) }))
    .where('accountId', '=', accountId)
    .execute()
  await recordEvent(system, db, { name: 'updateUser', accountId, email, before: { superUser: false } })
  return [`${email} is a super user now and signs in as before.`]
}

interface Event {
  name: 'createUser' | 'updateUser'
  accountId: string
  email: string
  before: Record<string, unknown>
}

const recordEvent = ({ clock }: System, db: Db, { name, accountId, email, before }: Event) =>
  writeAuditEvent(
    db,
    { name, target: { id: accountId, label: email }, before, after: { superUser: true } },
    // A console command has no account, so the event has no actor.
    { requestId: 'admin-command', now: clock() },
  )

// No similar-looking characters; four groups of four, about 90 bits.
const letters = 'abcdefghijkmnpqrstuvwxyz'
const capitals = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'

/** Satisfies the password rules: an upper-case and a lower-case letter, a digit and a special character. */
function temporaryPassword(): string {
  const any = letters + capitals + digits
  const pick = (from: string) => from.charAt(randomInt(from.length))
  const group = () => pick(letters) + pick(capitals) + pick(digits) + pick(any)
  return [group(), group(), group(), group()].join('-')
}
