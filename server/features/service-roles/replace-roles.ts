import { isDeepStrictEqual } from 'node:util'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import type { RoleInFile, RolesInFile } from '#contract/service-roles/role-files.ts'
import type { DeclaredRole } from '#contract/service-roles/service-roles.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { countPeople, listKeys } from './replace-roles.repository.ts'
import { findRulesBrokenBy, insertRole, listRoles, removeRole, updateRole } from './service-roles.repository.ts'

type WholeRole = { [Name in keyof RoleInFile]-?: Exclude<RoleInFile[Name], undefined> }

/** What a list does to the roles of a service. */
export interface RolesPlan {
  added: WholeRole[]
  changed: { before: DeclaredRole; wanted: WholeRole; fields: string[] }[]
  removed: (DeclaredRole & { people: number })[]
}

/**
 * Compares a list with the roles that a service declares. Writes nothing.
 *
 * @throws Problem 422 with what is wrong, by row
 */
export async function planRoles(db: Db, serviceId: string, { roles }: RolesInFile): Promise<RolesPlan> {
  const present = new Map((await listRoles(db, serviceId)).map((role) => [role.key, role]))
  const wanted = roles.map(whole)
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
    else if (fields.length > 0) {
      plan.changed.push({ before, wanted: role, fields })
      issues.push(...(await ruleIssues(db, before.roleId, role, row)))
    }
  }
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
  const people = await countPeople(db, serviceId)
  for (const role of present.values())
    if (!wanted.some(({ key }) => key === role.key))
      plan.removed.push({ ...role, people: people.get(role.roleId) ?? 0 })
  return plan
}

/** Carries a plan out. @returns the roles as they are now, by key, with what each was before */
export async function applyPlan(db: Db, serviceId: string, { added, changed, removed }: RolesPlan, now: Date) {
  for (const { roleId } of removed) await removeRole(db, roleId, now)
  const updated = []
  for (const { before, wanted } of changed) {
    const { key: _, ...form } = wanted
    updated.push({ before, after: await updateRole(db, before.roleId, form) })
  }
  const created = []
  for (const role of added) created.push(await insertRole(db, { serviceId, ...role }))
  return { created, updated }
}

/** What a file leaves out is empty. */
const whole = (role: RoleInFile): WholeRole => ({
  ...{ nameEn: null, nameFi: null, nameFr: null },
  ...{ descriptionSv: null, descriptionEn: null, descriptionFi: null, descriptionFr: null },
  ...{ needsTwoFactors: false, maxPeople: null, excludes: [] },
  ...(role as Partial<WholeRole> & Pick<WholeRole, 'key' | 'nameSv'>),
})

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

async function ruleIssues(db: Db, roleId: string, role: WholeRole, row: number): Promise<Issue[]> {
  const broken = await findRulesBrokenBy(db, { roleId, maxPeople: role.maxPeople, excludes: role.excludes })
  return [
    ...(broken.tooMany ? [issueAt(row, 'maxPeople', 'roleHasMorePeople')] : []),
    ...(broken.together ? [issueAt(row, 'excludes', 'rolesHeldTogether')] : []),
  ]
}
