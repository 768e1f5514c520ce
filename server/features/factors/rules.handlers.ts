import { may } from '#contract/actor.ts'
import type { signInRulesCalls } from '#contract/factors/organization-rules.ts'
import type { SignInRules, SignInRulesForm } from '#contract/factors/rules.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import type { Session } from '#server/platform/system.ts'
import {
  countByMailAlone,
  findRules,
  listAdminsWithoutKey,
  reaches,
  shortenSessions,
  updateRules,
} from './rules.repository.ts'

/** The rules of an organisation for the sign-in of its people. */
export const rulesHandlers: Handlers<typeof signInRulesCalls> = {
  read: async ({ db, params, config }) => answerOf(db, config, rulesOf(found(await findRules(db, params.id)))),
  update: async ({ db, params, input, config, session, audit }) => {
    const { name, ...before } = found(await findRules(db, params.id))
    refuseAbovePortal(config, input)
    const after = { ...input, organizationId: params.id }
    if (JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))) return answerOf(db, config, before)
    await updateRules(db, params.id, input)
    await refuseOwnExclusion(db, session, params.id)
    await shortenSessions(db, params.id)
    const target = { id: params.id, label: name }
    audit({
      name: 'updateSignInRules',
      target,
      organizationIds: [params.id],
      before: facts(before),
      after: facts(after),
    })
    return answerOf(db, config, after)
  },
}

const sorted = ({ secondFactors, ...rules }: SignInRules) => [
  secondFactors && [...secondFactors].sort(),
  rules.strongAdminsFrom,
  rules.sessionIdleMinutes,
  rules.sessionMaxHours,
  rules.maxPasswordAgeDays,
]
const rulesOf = ({ name: _, ...rules }: SignInRules & { name: string }): SignInRules => rules
// The log leaves out whatever is called password.
const facts = ({ organizationId: _, secondFactors, maxPasswordAgeDays, ...rules }: SignInRules) => ({
  secondFactors: secondFactors && [...secondFactors].sort().join(', '),
  ...rules,
  credentialAgeDays: maxPasswordAgeDays,
})

const answerOf = async (db: Db, config: Config, rules: SignInRules) => ({
  ...rules,
  peopleByMailAlone: await countByMailAlone(db, rules.organizationId),
  adminsWithoutKey: await listAdminsWithoutKey(db, rules.organizationId, config.passkeyRpId),
  portal: { sessionIdleMinutes: config.sessionIdleMinutes, sessionMaxHours: config.sessionMaxHours },
})

/** @throws Problem 422 for a time that the portal would cut anyway */
function refuseAbovePortal(portal: Config, input: SignInRulesForm): void {
  const issues = (['sessionIdleMinutes', 'sessionMaxHours'] as const).flatMap((path) =>
    (input[path] ?? 0) > portal[path] ? [{ path, message: 'abovePortal' as MessageKey }] : [],
  )
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
}

/** An admin must have signed in as the new rules ask. @throws Problem 409, after which nothing is changed */
async function refuseOwnExclusion(db: Db, { actor, amr }: Session, organizationId: string): Promise<void> {
  if (!may(actor, 'manageSettings', organizationId)) return
  if (!(await reaches(db, { organizationId, accountId: actor.accountId, amr })))
    throw new Problem(409, 'rulesShutYouOut')
}
