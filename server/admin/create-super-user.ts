import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { email as emailField } from '#contract/fields/fields.ts'
import { requiredName } from '#contract/fields/names.ts'
import { defaultMethod, isCompany } from '#contract/login-methods.ts'
import { unprovenReason } from '#contract/users/user-forms.ts'
import { setPortalRole } from '#server/accounts/portal-role.repository.ts'
import { isAddressProven } from '#server/oidc/address-proof.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import { newId } from '#server/platform/ids.ts'
import type { System } from '#server/platform/system.ts'
import { type Command, UsageError } from './command.ts'
import { withSystem } from './with-system.ts'

export const command: Command = {
  usage: '--email <address> [--first-name <name>] [--last-name <name>] [--unproven-reason <text>]',
  summary: 'make a super user with a temporary password, or make an existing person one',
  options: {
    email: { type: 'string' },
    'first-name': { type: 'string' },
    'last-name': { type: 'string' },
    'unproven-reason': { type: 'string' },
  },
  async run({ config, values, say }) {
    if (!values.email) throw new UsageError('--email is required')
    const email = z.safeParse(emailField, values.email)
    if (!email.success) throw new UsageError(`${values.email} is not an e-mail address`)
    const names = {
      firstName: nameFrom(values['first-name'], 'Super'),
      lastName: nameFrom(values['last-name'], 'User'),
    }
    const reason = reasonFrom(values['unproven-reason'])
    await withSystem({
      config,
      say,
      work: async (system) => {
        for (const line of await createSuperUser(system, { email: email.data, ...names, reason })) say(line)
      },
    })
    return 0
  },
}

function nameFrom(value: string | boolean | undefined, otherwise: string): string {
  const name = requiredName(100).safeParse(value ?? otherwise)
  if (!name.success) throw new UsageError('a name must have 1 to 100 characters, on one line and without a web address')
  return name.data
}

function reasonFrom(value: string | boolean | undefined): string | undefined {
  const reason = unprovenReason.safeParse(value)
  if (!reason.success) throw new UsageError('a reason must have 1 to 500 characters')
  return reason.data
}

interface Person {
  email: string
  firstName: string
  lastName: string
  /** Why an account whose address nobody has proven becomes a super user. */
  reason?: string | undefined
}

/** @returns lines for the operator */
export async function createSuperUser(system: System, { reason, ...person }: Person): Promise<string[]> {
  const password = temporaryPassword()
  const passwordHash = await system.passwords.hash(password)
  return inTransaction(system.db, async (db) => {
    const found = await db
      .selectFrom('users')
      .select(['accountId', 'superUser', 'pending', 'loginMethod', isAddressProven.as('isProven')])
      .select(sql<string | null>`(select name from organizations where organization_id = opened_for)`.as('openedFor'))
      .where('email', '=', person.email)
      .forUpdate()
      .executeTakeFirst()
    const isAlready = found?.superUser ?? false
    if (isAlready) return [`${person.email} is a super user already.`]
    if (isCompany(found?.loginMethod))
      return [
        `${person.email} signs in through a company, which never lets a super user in: give them another method first.`,
      ]
    if (found?.pending) return [`${person.email} has not signed in yet: let them do so first.`]
    if (found && !found.isProven && reason === undefined)
      return [
        `Nobody has proven the address ${person.email}${found.openedFor ? `; it was opened by the link of ${found.openedFor}` : ''}.`,
        'Let the person choose a new password by a mailed link first, or say with --unproven-reason why you trust it.',
      ]
    if (found) {
      const vouched = found.isProven ? {} : { unprovenReason: reason }
      return promote(system, db, { ...person, accountId: found.accountId, vouched })
    }
    const accountId = newId()
    await db
      .insertInto('users')
      .values({
        ...{ accountId, ...person, loginMethod: defaultMethod, superUser: true },
        ...{ passwordHash, passwordMustChange: true },
        emailProof: 'operator',
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

interface Promotion {
  accountId: string
  email: string
  vouched: { unprovenReason?: string | undefined }
}

async function promote(system: System, db: Db, { accountId, email, vouched }: Promotion) {
  const proof = vouched.unprovenReason ? { emailProof: 'operator' as const } : {}
  await db
    .updateTable('users')
    .set(({ eb }) => ({
      ...proof,
      superUser: true,
      hasPortalRole: false,
      passiveAt: null,
      version: eb('version', '+', 1),
    }))
    .where('accountId', '=', accountId)
    .execute()
  await setPortalRole(db, accountId, { portalRole: null, portalRoleFrom: null, portalRoleUntil: null }, null)
  await recordEvent(system, db, { name: 'updateUser', accountId, email, before: { superUser: false }, vouched })
  return [`${email} is a super user now and signs in as before.`]
}

interface Event {
  name: 'createUser' | 'updateUser'
  accountId: string
  email: string
  before: Record<string, unknown>
  vouched?: { unprovenReason?: string | undefined }
}

const recordEvent = ({ clock }: System, db: Db, { name, accountId, email, before, vouched }: Event) =>
  writeAuditEvent(
    db,
    { name, target: { id: accountId, label: email }, before, after: { superUser: true, ...vouched } },
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
