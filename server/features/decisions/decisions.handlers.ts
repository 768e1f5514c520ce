import * as z from 'zod/mini'
import { type Decision, decisions, question } from '#contract/decisions/decisions.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { parseInput } from '#server/platform/http/request-parsing.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { decide } from './decide.ts'

const invalid: Decision = { decision: false, context: { reason: 'invalidRequest' } }
/** After the first decision of this kind nothing is answered (AuthZEN 1.0, 7.1.2.1). */
const lastOf = { execute_all: undefined, deny_on_first_deny: false, permit_on_first_permit: true } as const

const decisionsHandlers: Handlers<typeof decisions> = {
  evaluation: async ({ db, machine, input }) => (await decide(db, machine.serviceId, [input]))[0] ?? invalid,
  evaluations: async ({ db, machine, input: { evaluations, options, ...common } }) => {
    if (!evaluations?.length) {
      const only = parseInput(question, common, 400) as z.infer<typeof question>
      return (await decide(db, machine.serviceId, [only]))[0] ?? invalid
    }
    const read = evaluations.map((own) => z.safeParse(question, { ...common, ...own }))
    const valid = read.flatMap(({ data }) => data ?? [])
    const answers = await decide(db, machine.serviceId, valid)
    const decided = read.map(({ success }) => (success ? (answers.shift() ?? invalid) : invalid))
    const last = decided.findIndex(
      ({ decision }) => decision === lastOf[options?.evaluations_semantic ?? 'execute_all'],
    )
    return { evaluations: last < 0 ? decided : decided.slice(0, last + 1) }
  },
  metadata: async ({ config: { baseUrl } }) => ({
    policy_decision_point: baseUrl,
    access_evaluation_endpoint: `${baseUrl}/access/v1/evaluation`,
    access_evaluations_endpoint: `${baseUrl}/access/v1/evaluations`,
  }),
}

export const createCallGroups: CreateCallGroups = () => [callGroup(decisions, decisionsHandlers)]
