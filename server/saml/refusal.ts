import type { MessageKey } from '#contract/message-key.ts'
import type { SamlFailure } from '#contract/saml-configs/saml-sign-ins.ts'

/** The messages that the user may see. */
export type RefusalKey = Extract<MessageKey, 'samlFailed' | 'samlDeclined' | 'samlRefused' | 'signInOver'>

interface Details {
  key?: RefusalKey | undefined
  failure?: SamlFailure | undefined
  cause?: unknown
}

/** A rejected response. The message is our own text for log and audit event, without data from the response. */
export class Refusal extends Error {
  override name = 'Refusal'
  /** The message for the user. */
  readonly key: RefusalKey
  /** The kind of reason, which administrators see. */
  readonly failure: SamlFailure
  /** What else is wrong with the same response, for a test sign-in. */
  readonly others: Refusal[] = []

  constructor(reason: string, { key = 'samlFailed', failure = 'malformed', cause }: Details = {}) {
    super(reason, { cause })
    this.key = key
    this.failure = failure
  }
}

/** @throws Refusal with this reason if the condition does not hold */
export function ensure(holds: unknown, reason: string, failure?: SamlFailure): asserts holds {
  if (!holds) throw new Refusal(reason, { failure })
}

/**
 * Makes all checks, so that a test sign-in can name everything that is wrong, and then the last step.
 *
 * @throws Refusal the first problem, with the others
 */
export async function ensureAll<Result>(
  checks: readonly (() => void)[],
  last: () => Promise<Result> | Result,
): Promise<Result> {
  const problems: Refusal[] = []
  const note = (error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    problems.push(error, ...error.others.splice(0))
  }
  for (const check of checks)
    try {
      check()
    } catch (error) {
      note(error)
    }
  try {
    const result = await last()
    if (problems.length === 0) return result
  } catch (error) {
    note(error)
  }
  const [first, ...others] = problems
  first?.others.push(...others)
  throw first
}
