import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type GroupRule, listGroupRules } from './group-rules.repository.ts'
import { putInGroup, takeFromGroup } from './groups.repository.ts'

interface SignIn {
  /** The configuration that has identified the person. */
  samlConfigId: number
  person: { accountId: string; email: string }
  /** What it says about the person, by names in lower case. */
  attributes: ReadonlyMap<string, readonly string[]> | undefined
  /** What it leaves out because it is too much: rules about that change nothing. */
  unsaid: ReadonlySet<string> | undefined
}

/**
 * Puts a person in the groups whose rule a company's answer fulfils, and takes them out of those that a rule put them in and
 * that it fulfils no more. Only groups of organisations that sign in with this configuration ask it; one event for each
 * organisation in which something changes.
 */
export async function applyGroupRules(
  db: Db,
  audit: (entry: AuditEntry) => void,
  { samlConfigId, person, attributes, unsaid }: SignIn,
): Promise<void> {
  const { accountId, email } = person
  const holds = ({ attribute, value }: GroupRule) =>
    attributes?.get(attribute.toLowerCase())?.some((one) => one.trim() === value) ?? false
  const isUnsaid = ({ attribute }: GroupRule) =>
    unsaid?.has(attribute.toLowerCase()) && !attributes?.get(attribute.toLowerCase())?.length
  const differing = (rules: readonly GroupRule[]) =>
    rules.filter((rule) => !isUnsaid(rule) && holds(rule) !== rule.isIn)
  const changed = differing(await listGroupRules(db, { samlConfigId, accountId }))
  // Most sign-ins change nothing, and lock nothing.
  if (changed.length === 0) return
  const ids = changed.map(({ groupId }) => groupId)
  const rules = differing(await listGroupRules(db, { samlConfigId, accountId }, ids))
  for (const { groupId, organizationId } of rules.filter(({ isIn }) => isIn))
    await takeFromGroup(db, { groupId, organizationId, source: 'rule' }, [accountId])
  for (const { groupId, organizationId } of rules.filter(({ isIn }) => !isIn))
    await putInGroup(db, { groupId, organizationId, source: 'rule' }, [accountId])
  for (const [organizationId, there] of Map.groupBy(rules, (rule) => rule.organizationId)) {
    const names = (isIn: boolean) =>
      there
        .filter((rule) => rule.isIn === isIn)
        .map(({ name }) => name)
        .join(', ')
    const who = { id: accountId, label: email, organizationIds: [organizationId] }
    audit({
      name: 'applyGroupRules',
      actor: who,
      target: who,
      before: { groups: names(true) },
      after: { groups: names(false), organization: there[0]?.organizationName },
      organizationIds: [organizationId],
    })
  }
}
