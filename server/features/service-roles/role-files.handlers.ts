import type { RoleChange, RoleInFile, roleFiles } from '#contract/service-roles/role-files.ts'
import type { DeclaredRole } from '#contract/service-roles/service-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { lockRoles, readVersion } from './replace-roles.repository.ts'
import { applyPlan, planRoles, type RolesPlan } from './replace-roles.ts'
import { createEventOf } from './role-events.ts'
import { findService, listRoles } from './service-roles.repository.ts'

export const roleFilesHandlers: Handlers<typeof roleFiles> = {
  read: async ({ db, params }) => readFile(db, found(await findService(db, params.id)).serviceId),
  dryRun: async ({ db, params, input }) => {
    const { serviceId } = found(await findService(db, params.id))
    const version = await readVersion(db, serviceId)
    const plan = await planRoles(db, serviceId, input)
    const changes = changesOf(plan)
    return { changes, unchanged: input.roles.length - plan.added.length - plan.changed.length, version }
  },
  replace: async ({ db, params, input, now, audit }) => {
    const { serviceId } = found(await findService(db, params.id))
    await lockRoles(db, serviceId)
    checkVersion({ version: await readVersion(db, serviceId) }, input.version)
    const plan = await planRoles(db, serviceId, input)
    const { created, updated } = await applyPlan(db, serviceId, plan, now)
    const eventOf = await createEventOf(db, serviceId)
    for (const { people: _, ...before } of plan.removed) audit(eventOf({ before }))
    for (const change of updated) audit(eventOf(change))
    for (const after of created) audit(eventOf({ after }))
    return readFile(db, serviceId)
  },
}

const readFile = async (db: Db, serviceId: string) => ({
  roles: (await listRoles(db, serviceId)).map(({ roleId: _, serviceId: __, version: ___, ...role }) => role),
  version: await readVersion(db, serviceId),
})

const changesOf = ({ added, changed, removed }: RolesPlan): RoleChange[] => [
  ...added.map((role) => ({ ...called(role), outcome: 'added' as const, fields: [], people: 0 })),
  ...changed.map(({ wanted, fields }) => ({ ...called(wanted), outcome: 'changed' as const, fields, people: 0 })),
  ...removed.map((role) => ({ ...called(role), outcome: 'removed' as const, fields: [], people: role.people })),
]
const called = ({ key, nameSv }: Pick<RoleInFile | DeclaredRole, 'key' | 'nameSv'>) => ({ key, nameSv })
