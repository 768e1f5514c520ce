import type { Progress, SimulatedPerson, Trouble } from './progress.ts'

interface Course {
  /** The hint codes of the pending order, with their duration in seconds. */
  steps?: readonly { hintCode: string; seconds: number }[]
  /** The hint code of a failed end. */
  failure?: string
  risk?: 'low' | 'high'
  /** Failures of the next collects. */
  troubles?: readonly Trouble[]
}

const thrice = (trouble: Trouble) => [trouble, trouble, trouble]

/** What can happen after a person chose to identify; the user of the phone app selects one. */
const courses = {
  ok: {},
  slow: {
    steps: [
      { hintCode: 'started', seconds: 6 },
      { hintCode: 'userSign', seconds: 6 },
      { hintCode: 'processing', seconds: 4 },
    ],
  },
  certificateErr: { failure: 'certificateErr' },
  highRisk: { risk: 'high' },
  unknownHint: { steps: [{ hintCode: 'somethingThatCameLater', seconds: 6 }] },
  unknownFailure: { failure: 'somethingThatFailsLater' },
  collect500: { troubles: thrice({ status: 500, errorCode: 'internalError' }) },
  collect503: { troubles: thrice({ status: 503, errorCode: 'Maintenance' }) },
  collect429: { troubles: thrice({ status: 429, errorCode: 'tooManyRequests' }) },
  collectSilence: { troubles: [{ status: 'silence' }] },
} as const satisfies Record<string, Course>

export type Scenario = keyof typeof courses
export const scenarios: Readonly<Record<Scenario, Course>> = courses
export const isScenario = (name: string): name is Scenario => Object.hasOwn(scenarios, name)

interface Signed {
  person: SimulatedPerson
  scenario: Scenario
  /** Milliseconds since the person identified. */
  elapsed: number
}

/** The state of an order after a person has identified. */
export function planOf({ person, scenario, elapsed }: Signed): Progress {
  const { steps = [], failure, risk = 'low' }: Course = scenarios[scenario]
  let end = 0
  for (const { hintCode, seconds } of steps) {
    end += seconds * 1000
    if (elapsed < end) return { status: 'pending', hintCode }
  }
  return failure ? { status: 'failed', hintCode: failure } : { status: 'complete', person, risk }
}
