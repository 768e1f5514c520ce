import * as z from 'zod/mini'
import {
  type ImportedPerson,
  type ImportedRow,
  importedPerson,
  type PastedRow,
} from '#contract/invitations/bulk-invitations.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { NewInvitee } from './invite-people.ts'
import { findExistingAddresses, findOfferedServices, type Offered } from './plan-import.repository.ts'

/** The planned outcome of a row, and the parsed person if the row is valid. */
export interface PlannedRow extends ImportedRow {
  person?: NewInvitee
}

interface Plan {
  organizationId: string
  rows: readonly PastedRow[]
  /** Locks the services until the transaction ends. */
  lock?: boolean
}

/**
 * Plans the outcome of every row. A service that is full now is reported. Seats are taken on acceptance, so rows do not
 * compete for the last seat here.
 */
export async function planImport(db: Db, { organizationId, rows, lock = false }: Plan): Promise<PlannedRow[]> {
  const services = servicesByName(await findOfferedServices(db, organizationId, lock))
  const read = rows.map((row) => ({ row, parsed: parseRow(row) }))
  const emails = read.flatMap(({ parsed }) => (parsed.person ? [parsed.person.email] : []))
  const present = await findExistingAddresses(db, organizationId, [...new Set(emails)])
  const seen = new Set<string>()

  return read.map(({ row, parsed }): PlannedRow => {
    const { person, issues } = parsed
    if (!person) return { email: row.email.trim(), outcome: 'invalid', issues }
    const { email } = person
    if (seen.has(email)) return { email, outcome: 'duplicate' }
    seen.add(email)
    if (present.has(email)) return { email, outcome: 'alreadyMember' }
    const named = person.services.map((name) => services.get(folded(name)))
    const unknown = problemsAt(named, (service) => service === undefined, 'serviceNotInOrganization')
    if (unknown.length > 0) return { email, outcome: 'invalid', issues: unknown }
    const wanted = [...new Set(named)].filter((service) => service !== undefined)
    const full = problemsAt(named, (service) => service?.isFull === true, 'noSeatsLeft')
    if (full.length > 0) return { email, outcome: 'noSeatsLeft', issues: full }
    const promised = wanted.map(({ serviceId, name }) => ({ serviceId, name, userRole: 'regular' as const }))
    return { email, outcome: 'invited', person: { ...person, services: promised } }
  })
}

const folded = (name: string) => name.trim().normalize('NFC').toLowerCase()

interface Seats {
  serviceId: string
  name: string
  isFull: boolean
}

/** Case-insensitive look-up by name. Services that share a name are left out as ambiguous. */
function servicesByName(offered: readonly Offered[]): Map<string, Seats> {
  const byName = Map.groupBy(offered, ({ name }) => folded(name))
  const pairs = [...byName].flatMap(([key, [service, ...others]]): [string, Seats][] => {
    if (!service || others.length > 0) return []
    const { serviceId, name, maxNumberOfUsers, seatsUsed } = service
    return [[key, { serviceId, name, isFull: maxNumberOfUsers !== null && seatsUsed >= maxNumberOfUsers }]]
  })
  return new Map(pairs)
}

const problemsAt = (
  named: readonly (Seats | undefined)[],
  isWrong: (service: Seats | undefined) => boolean,
  message: MessageKey,
): Issue[] => named.flatMap((service, index) => (isWrong(service) ? [{ path: `services.${index}`, message }] : []))

function parseRow(row: PastedRow): { person: ImportedPerson; issues?: never } | { person?: never; issues: Issue[] } {
  // Treat an empty cell as missing.
  const { userRole, services = [], validFrom, validUntil, ...rest } = row
  const names = services.filter((name) => name.trim() !== '')
  const result = z.safeParse(importedPerson, {
    ...rest,
    services: names,
    ...(userRole?.trim() ? { userRole: userRole.trim() } : {}),
    ...(validFrom?.trim() ? { validFrom: validFrom.trim() } : {}),
    ...(validUntil?.trim() ? { validUntil: validUntil.trim() } : {}),
  })
  if (result.success) return { person: result.data }
  const issues = result.error.issues.map(({ path, message }) => ({
    path: path.join('.'),
    message: /^[a-z][A-Za-z]+$/.test(message) ? message : ('invalidValue' satisfies MessageKey),
  }))
  return { issues }
}
