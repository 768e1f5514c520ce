import * as z from 'zod/mini'
import {
  type ImportedPerson,
  type ImportedRow,
  type ImportOutcome,
  importedPerson,
  type PastedRow,
} from '#contract/bulk-invitations.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import type { Db } from '#server/platform/database.ts'
import type { NewMember } from './add-people.ts'
import { findOfferedServices, findPresent, type Offered } from './plan-import.repository.ts'

/** What would become of a row, and of whom it speaks where it is right. */
export interface PlannedRow extends ImportedRow {
  person?: NewMember
}

interface Plan {
  organizationId: string
  rows: readonly PastedRow[]
  /** Keeps the seats as they are until the transaction ends. */
  lock?: boolean
}

/** Looks at every row, in order, as if those before it had been written: the last seat goes to whoever comes first. */
export async function planImport(db: Db, { organizationId, rows, lock = false }: Plan): Promise<PlannedRow[]> {
  const services = servicesByName(await findOfferedServices(db, organizationId, lock))
  const read = rows.map((row) => ({ row, parsed: parseRow(row) }))
  const emails = read.flatMap(({ parsed }) => (parsed.person ? [parsed.person.email] : []))
  const present = new Map((await findPresent(db, organizationId, [...new Set(emails)])).map((one) => [one.email, one]))
  const seen = new Set<string>()

  return read.map(({ row, parsed }): PlannedRow => {
    const { person, issues } = parsed
    if (!person) return { email: row.email.trim(), outcome: 'invalid', issues }
    const { email } = person
    if (seen.has(email)) return { email, outcome: 'duplicate' }
    seen.add(email)
    const known = present.get(email)
    if (known?.isMember) return { email, outcome: 'alreadyMember' }
    const named = person.services.map((name) => services.get(folded(name)))
    const unknown = problemsAt(named, (service) => service === undefined, 'serviceNotInOrganization')
    if (unknown.length > 0) return { email, outcome: 'invalid', issues: unknown }
    const wanted = [...new Set(named)].filter((service) => service !== undefined)
    const full = problemsAt(named, (service) => service?.seatsLeft === 0, 'noSeatsLeft')
    if (full.length > 0) return { email, outcome: 'noSeatsLeft', issues: full }
    for (const service of wanted) service.seatsLeft--
    const outcome: ImportOutcome = known && !known.pending ? 'added' : 'invited'
    return { email, outcome, person: { ...person, services: wanted } }
  })
}

const folded = (name: string) => name.trim().normalize('NFC').toLowerCase()

interface Seats {
  serviceId: string
  name: string
  seatsLeft: number
}

/** By the name in any case. Two services of one name cannot be told apart by it, so neither is meant. */
function servicesByName(offered: readonly Offered[]): Map<string, Seats> {
  const byName = Map.groupBy(offered, ({ name }) => folded(name))
  const pairs = [...byName].flatMap(([key, [service, ...others]]): [string, Seats][] => {
    if (!service || others.length > 0) return []
    const { serviceId, name, maxNumberOfUsers, seatsUsed } = service
    const seatsLeft = maxNumberOfUsers === null ? Number.POSITIVE_INFINITY : Math.max(0, maxNumberOfUsers - seatsUsed)
    return [[key, { serviceId, name, seatsLeft }]]
  })
  return new Map(pairs)
}

const problemsAt = (
  named: readonly (Seats | undefined)[],
  isWrong: (service: Seats | undefined) => boolean,
  message: MessageKey,
): Issue[] => named.flatMap((service, index) => (isWrong(service) ? [{ path: `services.${index}`, message }] : []))

function parseRow(row: PastedRow): { person: ImportedPerson; issues?: never } | { person?: never; issues: Issue[] } {
  // An empty cell of a table is one that says nothing.
  const { userRole, services = [], ...rest } = row
  const names = services.filter((name) => name.trim() !== '')
  const result = z.safeParse(importedPerson, {
    ...rest,
    services: names,
    ...(userRole?.trim() ? { userRole: userRole.trim() } : {}),
  })
  if (result.success) return { person: result.data }
  const issues = result.error.issues.map(({ path, message }) => ({
    path: path.join('.'),
    message: /^[a-z][A-Za-z]+$/.test(message) ? message : ('invalidValue' satisfies MessageKey),
  }))
  return { issues }
}
