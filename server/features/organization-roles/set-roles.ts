import type { organizationRoles } from '#contract/organization-roles/organization-roles.ts'
import type { Issue } from '#contract/problem.ts'
import type { Grant } from '#server/accounts/grants.repository.ts'
import { changeGrants } from '#server/accounts/grants.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { listGivable } from './organization-roles.repository.ts'

type Context = RequestContext<typeof organizationRoles.setOfPerson>

/** Sets the roles of a member beside the admin role. Days that are left out stay. */
export async function setRoles(context: Context): Promise<undefined> {
  const { userId: accountId, organizationId } = context.params
  await changeGrants(context, { accountId, organizationId, scopeId: null }, (before) => planGrants(context, before))
  return undefined
}

/** @throws Problem 422 with the path of a role that the organisation does not have */
async function planGrants({ db, params, input }: Context, before: readonly Grant[]): Promise<Grant[]> {
  const known = new Map((await listGivable(db, params.organizationId)).map((one) => [one.role, one]))
  const issues = input.roles.flatMap(({ role }, index): Issue[] =>
    known.has(role) ? [] : [{ path: `roles.${index}.role`, message: 'notFound' }],
  )
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
  return input.roles.map(({ role, validFrom, validUntil }) => {
    const { name, permissions } = found(known.get(role))
    const had = before.find((one) => one.role === role)
    return {
      ...{ role, scopeId: null, name, permissions },
      validFrom: validFrom === undefined ? (had?.validFrom ?? null) : validFrom,
      validUntil: validUntil === undefined ? (had?.validUntil ?? null) : validUntil,
    }
  })
}
