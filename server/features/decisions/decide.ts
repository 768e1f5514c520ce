import * as z from 'zod/mini'
import { type Decision, isAboutOrganization, type Question } from '#contract/decisions/decisions.ts'
import { id } from '#contract/fields/fields.ts'
import { can } from '#contract/permissions.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Access, type Asked, findAccess } from './decisions.repository.ts'

const no: Decision = { decision: false }
// RFC 8176 registers two dozen short names.
const [maxMethods, maxName] = [20, 40]
const isMethod = (one: unknown) => typeof one === 'string' && one.length <= maxName
/** Not by a schema, which would read each of a long list, and once more for each question. */
const methodsOf = (amr: unknown): string[] | null =>
  Array.isArray(amr) && amr.length <= maxMethods && amr.every(isMethod) ? amr : null

/** The person and the organisation that a question is about; undefined for what cannot exist. */
function placeOf({ subject, resource, context }: Question): Asked | undefined {
  if (subject.type !== 'user' || !['organization', 'service'].includes(resource.type)) return undefined
  const [person, organization] = [z.safeParse(id, subject.id), z.safeParse(id, resource.id)]
  if (!person.success || !organization.success) return undefined
  return { accountId: person.data, organizationId: organization.data, amr: methodsOf(context?.amr) }
}

/** Answers each question, in their order, from what the database says now. */
export async function decide(db: Db, serviceId: string, questions: readonly Question[]): Promise<Decision[]> {
  const places = questions.map(placeOf)
  const asked = places.flatMap((place) => place ?? [])
  const find = asked.length > 0 ? await findAccess(db, serviceId, asked) : () => undefined
  const position = new Map(asked.map((place, index) => [place, index]))
  return questions.map((question, index) => {
    const place = places[index]
    const access = place && find(position.get(place) ?? -1)
    if (!place || !access) return no
    return question.resource.type === 'service'
      ? asService(question.action.name, access)
      : { decision: mayInOrganization(question.action.name, { ...place, serviceId }, access) }
  })
}

/** A role in the service: `regular` for everybody who has it, those of the portal that tokens name, and the service's own. */
function asService(role: string, { memberRole, userRole, roles, heldRoles }: Access): Decision {
  if (role === 'regular' || role === memberRole || role === userRole || roles.includes(role)) return { decision: true }
  return heldRoles.includes(role) ? { ...no, context: { reason: 'twoFactorsNeeded' } } : no
}

/** By the rules of the door. That somebody works for the operator is no service's business, so it counts for nothing here. */
function mayInOrganization(
  name: string,
  place: { accountId: string; organizationId: string; serviceId: string },
  { memberRole, portalRoles, scoped, userRole }: Access,
): boolean {
  const { accountId, organizationId, serviceId } = place
  const actor = {
    accountId,
    superUser: false,
    organizations: [{ organizationId, userRole: memberRole, roles: portalRoles, scoped }],
    services: [{ serviceId, organizationId, userRole }],
  }
  return isAboutOrganization(name) && can(actor, name, { accountId, organizationId, serviceId })
}
