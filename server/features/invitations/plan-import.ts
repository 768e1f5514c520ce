import * as z from 'zod/mini'
import {
  type ImportedPerson,
  type ImportedRow,
  importedPerson,
  type PastedRow,
} from '#contract/invitations/bulk-invitations.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import type { OfferedRole } from '#contract/service-roles/service-roles.ts'
import { listOfferedRoles } from '#server/features/service-roles/service-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { NewInvitee } from './invite-people.ts'
import { findExistingAddresses, findGroupsByName, findOfferedServices, type Offered } from './plan-import.repository.ts'

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
  const offered = rows.some((row) => row.services?.some((name) => rolesInName.test(name.trim())))
    ? await listOfferedRoles(db, organizationId)
    : []
  const groups = rows.some(namesGroups) ? await findGroupsByName(db, organizationId) : new Map()
  const roles = new Map(offered.map((role) => [roleOf(role.serviceId, role.key), role]))
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
    const asked = person.services.map((name) => withRoles(name, services, roles))
    const named = asked.map(({ service }) => service)
    const unknown = problemsAt(named, (service) => service === undefined, 'serviceNotInOrganization')
    const unknownRoles = asked.flatMap(({ roles: own }, index): Issue[] =>
      own ? [] : [{ path: `services.${index}`, message: 'serviceRoleUnknown' satisfies MessageKey }],
    )
    if (unknown.length + unknownRoles.length > 0)
      return { email, outcome: 'invalid', issues: unknown.length > 0 ? unknown : unknownRoles }
    const wanted = person.groups.map((name) => groups.get(folded(name)))
    const unknownGroup = wanted.indexOf(undefined)
    if (unknownGroup >= 0)
      return {
        ...{ email, outcome: 'invalid' },
        issues: [{ path: `groups.${unknownGroup}`, message: 'groupUnknown' satisfies MessageKey }],
      }
    const full = problemsAt(named, (service) => service?.isFull === true, 'noSeatsLeft')
    if (full.length > 0) return { email, outcome: 'noSeatsLeft', issues: full }
    const promised = [...Map.groupBy(asked, ({ service }) => service)].flatMap(([service, cells]) => {
      if (!service) return []
      const { serviceId, name } = service
      const given = new Set(cells.flatMap(({ roles: own = [] }) => own))
      return [{ serviceId, name, userRole: 'regular' as const, roles: [...given] }]
    })
    return { email, outcome: 'invited', person: { ...person, services: promised, groups: [...new Set(wanted)] } }
  })
}

/** A service with the keys of roles that it is given with: `Journal [doctor, secretary]`. */
const rolesInName = /^(.*\S)\s*\[([^[\]]*)\]$/s

/** The service that a cell names, and the roles; undefined for a role that the service does not have. */
function withRoles(cell: string, services: ReadonlyMap<string, Seats>, roles: ReadonlyMap<string, OfferedRole>) {
  const whole = services.get(folded(cell))
  const [, name = '', keys = ''] = (!whole && rolesInName.exec(cell.trim())) || []
  const service = whole ?? services.get(folded(name))
  const asked = keys
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map((key) => service && roles.get(roleOf(service.serviceId, key)))
  const known = asked.filter((role) => role !== undefined)
  return { service, roles: known.length === asked.length ? known : undefined }
}

const roleOf = (serviceId: string, key: string) => `${serviceId} ${key}`

const isFilled = (name: string) => name.trim() !== ''

/** Whether a row puts somebody in groups. */
export const namesGroups = ({ groups }: PastedRow): boolean => groups?.some(isFilled) ?? false

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
  const { userRole, services = [], groups = [], validFrom, validUntil, ...rest } = row
  const result = z.safeParse(importedPerson, {
    ...rest,
    services: services.filter(isFilled),
    groups: groups.filter(isFilled),
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
