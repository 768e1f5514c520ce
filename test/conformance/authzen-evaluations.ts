import { expect } from 'vitest'
import { archived, asAdmin, named, notByProperties, type Unnamed } from './authzen-evaluation.ts'
import type { AuthzenParty } from './authzen-party.ts'
import { transport } from './authzen-transport.ts'

/** The decisions for several questions. */
const answers = (
  demands: string,
  request: (party: AuthzenParty) => Record<string, unknown>,
  decisions: readonly boolean[],
): Unnamed => ({
  demands,
  async check(party) {
    const { status, body } = await party.evaluateAll(request(party))
    const seen = (body as { evaluations: { decision: boolean }[] }).evaluations.map(({ decision }) => decision)
    expect([status, seen]).toEqual([200, decisions])
  },
})
const single = (demands: string, more: object) => ({
  demands,
  async check({ evaluateAll, permitted }: AuthzenParty) {
    const { status, body } = await evaluateAll({ ...permitted, ...more })
    expect([status, body]).toEqual([200, { decision: true }])
  },
})
/** Bob may read and not write. */
const bobs = (party: AuthzenParty, names: readonly string[], semantic?: string) => ({
  ...{ subject: party.bob, resource: party.records[0], evaluations: names.map((name) => ({ action: { name } })) },
  ...(semantic && { options: { evaluations_semantic: semantic } }),
})
const ignoresAll = (demands: string, request: (party: AuthzenParty) => object[]): Unnamed => ({
  demands,
  notApplicable: notByProperties,
  async check(party) {
    const evaluations = request(party) as { subject?: object; resource?: object }[]
    const plain = evaluations.map(({ subject = party.alice, resource = party.records[1] }) => ({
      subject: { ...subject, properties: undefined },
      resource: { ...resource, properties: undefined },
    }))
    const common = { subject: party.alice, action: { name: 'write' }, resource: { ...party.records[1], ...archived } }
    const withThem = await party.evaluateAll({ ...common, evaluations })
    expect(withThem.body).toEqual((await party.evaluateAll({ ...common, evaluations: plain })).body)
  },
})

/** The alpha plan for several decisions at once. */
export const evaluations = named('authzen-pdp-evaluations', {
  'batch-request-with-evaluations-array': answers(
    'a decision for each question',
    ({ alice, records }) => ({
      ...{ subject: alice, action: { name: 'read' } },
      evaluations: records.map((resource) => ({ resource })),
    }),
    [true, false],
  ),
  'batch-with-fixture-decisions-validated': answers(
    'the decisions in the order of the questions',
    (party) => bobs(party, ['read', 'write']),
    [true, false],
  ),
  'batch-with-fully-specified-evaluations': answers(
    'questions that have nothing in common',
    ({ permitted, denied }) => ({ evaluations: [permitted, denied] }),
    [true, false],
  ),
  'batch-with-context-inheritance': answers(
    'a context for all, and one of its own for a question',
    ({ alice, records }) => ({
      ...{ subject: alice, action: { name: 'read' }, context: { time: '2025-06-27T18:03-07:00' } },
      evaluations: [{ resource: records[0] }, { resource: records[1], context: { source: 'batch-override' } }],
    }),
    [true, false],
  ),
  'evaluation-level-errors': answers(
    'no to a question that is incomplete, beside the answers to the others',
    ({ alice, records }) => ({
      ...{ subject: alice, action: { name: 'read' } },
      evaluations: [{ resource: records[0] }, {}],
    }),
    [true, false],
  ),
  'default-semantic-is-execute-all': answers(
    'all questions are answered',
    (party) => bobs(party, ['write', 'read', 'write']),
    [false, true, false],
  ),
  'execute-all-explicit': answers(
    'all questions are answered with `execute_all`',
    (party) => bobs(party, ['write', 'read', 'write'], 'execute_all'),
    [false, true, false],
  ),
  'deny-on-first-deny': answers(
    'the first no is the last answer with `deny_on_first_deny`',
    (party) => bobs(party, ['read', 'write', 'read'], 'deny_on_first_deny'),
    [true, false],
  ),
  'permit-on-first-permit': answers(
    'the first yes is the last answer with `permit_on_first_permit`',
    (party) => bobs(party, ['write', 'read', 'write'], 'permit_on_first_permit'),
    [false, true],
  ),
  'unknown-semantic-value': {
    demands: '400 for another semantic',
    async check(party) {
      expect((await party.evaluateAll(bobs(party, ['read'], 'bogus_value'))).status).toBe(400)
    },
  },
  'per-eval-overrides-default': answers(
    'what a question says counts before what they have in common',
    (party) => ({ ...bobs(party, ['read', 'write']), action: { name: 'write' } }),
    [true, false],
  ),
  'missing-subject-returns-decision-false': answers(
    'no to a question about nobody',
    ({ records }) => ({ action: { name: 'read' }, evaluations: [{ resource: records[0] }] }),
    [false],
  ),
  'missing-evaluations-array-backward-compat': single('one decision without `evaluations`', {}),
  'empty-evaluations-array-backward-compat': single('one decision with empty `evaluations`', { evaluations: [] }),
  'batch-with-properties-validated': ignoresAll('decisions that differ by what the records are', ({ records }) => [
    { resource: { ...records[0], properties: { status: 'active' } } },
    { resource: { ...records[1], ...archived } },
  ]),
  'batch-with-subject-properties-validated': ignoresAll('decisions that differ by who it is', ({ alice, bob }) => [
    { subject: alice },
    { subject: { ...bob, ...asAdmin } },
  ]),
  'batch-with-default-value-merging': ignoresAll(
    'a person and an action for all, and decisions that differ by what the records are',
    ({ records }) => [
      { resource: { ...records[0], properties: { status: 'active' } } },
      { resource: { ...records[1], ...archived } },
    ],
  ),
  ...transport('evaluations'),
})
