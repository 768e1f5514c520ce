import { isDeepStrictEqual } from 'node:util'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import { type RoleInFile, type RolesInFile, roleInFile } from '#contract/service-roles/role-files.ts'
import type { DeclaredRole } from '#contract/service-roles/service-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { mergedRows, pickFields } from '#server/platform/database/versioned.ts'
import { Problem } from '#server/platform/problem.ts'
import { countPeople, insertRoles, listKeys, updateRoles } from './replace-roles.repository.ts'
import { findBrokenRules, listRoles, removeRoles } from './service-roles.repository.ts'

type WholeRole = { [Name in keyof RoleInFile]-?: Exclude<RoleInFile[Name], undefined> }

/** What a list does to the roles of a service. */
export interface RolesPlan {
  added: WholeRole[]
  changed: { before: DeclaredRole; wanted: WholeRole; fields: string[]; row: number }[]
  removed: (DeclaredRole & { people: number })[]
}

/**
 * Compares a list with the roles that a service declares. Writes nothing.
 *
 * @throws Problem 422 with what is wrong, by row
 */
export async function planRoles(db: Db, serviceId: string, { roles }: RolesInFile): Promise<RolesPlan> {
  const present = new Map((await listRoles(db, serviceId)).map((role) => [role.key, role]))
  const wanted = wholeRoles([...present.values()], roles)
  const known = await listKeys(db, serviceId)
  const issues = wanted.flatMap((role, row) => [
    ...keyIssues(role, row, wanted, (key) => known.has(key) && !present.has(key)),
    ...excludeIssues(role, row, wanted),
  ])
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
  const plan: RolesPlan = { added: [], changed: [], removed: [] }
  for (const [row, role] of wanted.entries()) {
    const before = present.get(role.key)
    const fields = before ? differences(before, role) : []
    if (!before) plan.added.push(role)
    else if (fields.length > 0) plan.changed.push({ before, wanted: role, fields, row })
  }
  await checkRules(db, plan)
  const people = await countPeople(db, serviceId)
  for (const role of present.values())
    if (!wanted.some(({ key }) => key === role.key))
      plan.removed.push({ ...role, people: people.get(role.roleId) ?? 0 })
  return plan
}

/**
 * Carries a plan out. The rules come first: what somebody waits for is given as soon as a rule or a removal allows it.
 *
 * @returns the roles as they are now, with what each was before
 * @throws Problem 422 where somebody would break a new rule
 */
export async function applyPlan(db: Db, serviceId: string, plan: RolesPlan, now: Date) {
  const { added, changed, removed } = plan
  await updateRoles(
    db,
    changed.map(({ before, wanted }) => ({ ...before, ...wanted })),
  )
  await insertRoles(
    db,
    added.map((role) => ({ serviceId, ...role })),
  )
  await removeRoles(
    db,
    removed.map(({ roleId }) => roleId),
    now,
  )
  await checkRules(db, plan)
  const present = new Map((await listRoles(db, serviceId)).map((role) => [role.key, role]))
  const asWritten = ({ key }: { key: string }) => present.get(key) as DeclaredRole
  return {
    created: added.map(asWritten),
    updated: changed.map(({ before }) => ({ before, after: asWritten(before) })),
  }
}

const fresh = {
  ...{ nameEn: null, nameFi: null, nameFr: null },
  ...{ descriptionSv: null, descriptionEn: null, descriptionFi: null, descriptionFr: null },
  ...{ needsTwoFactors: false, maxPeople: null, excludes: [] },
}

/** What a file leaves out stays, without roles that the file removes; in a new role it is empty. */
function wholeRoles(present: readonly DeclaredRole[], sent: readonly RoleInFile[]): WholeRole[] {
  const stays = (key: string) => sent.some((one) => one.key === key)
  const kept = present.map((role) => ({ ...pickFields(roleInFile, role), excludes: role.excludes.filter(stays) }))
  return mergedRows<WholeRole>(kept, sent, { key: 'key', fresh })
}

const differences = (before: DeclaredRole, wanted: WholeRole) =>
  Object.entries(wanted)
    .filter(([name, value]) => !isDeepStrictEqual(before[name as keyof DeclaredRole], value))
    .map(([name]) => name)

const issueAt = (row: number, field: string, message: MessageKey, detail?: string): Issue => ({
  path: `roles.${row}.${field}`,
  message,
  ...(detail !== undefined && { detail }),
})

function keyIssues(
  { key }: RoleInFile,
  row: number,
  all: readonly RoleInFile[],
  isRemoved: (key: string) => boolean,
): Issue[] {
  if (isRemoved(key)) return [issueAt(row, 'key', 'roleKeyUsed', key)]
  return all.findIndex((one) => one.key === key) < row ? [issueAt(row, 'key', 'roleKeyTwice', key)] : []
}

const excludeIssues = ({ key, excludes }: WholeRole, row: number, all: readonly RoleInFile[]): Issue[] =>
  excludes.flatMap((other, place) =>
    other === key || !all.some((one) => one.key === other)
      ? [issueAt(row, `excludes.${place}`, 'roleKeyUnknown', other)]
      : [],
  )

/** @throws Problem 422 where people break the rules of a changed role, by row */
async function checkRules(db: Db, { changed }: RolesPlan): Promise<void> {
  const rows = new Map(changed.map(({ before, row }) => [before.roleId, row]))
  const rules = changed.map(({ before: { roleId }, wanted }) => ({ ...wanted, roleId }))
  const issues = (await findBrokenRules(db, rules))
    .map((broken) => ({ ...broken, row: rows.get(broken.roleId) as number }))
    .sort((one, other) => one.row - other.row)
    .flatMap(({ row, tooMany, together }) => [
      ...(tooMany ? [issueAt(row, 'maxPeople', 'roleHasMorePeople')] : []),
      ...(together ? [issueAt(row, 'excludes', 'rolesHeldTogether')] : []),
    ])
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
}
