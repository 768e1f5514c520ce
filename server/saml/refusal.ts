import type { MessageKey } from '#contract/message-key.ts'
import type { SamlFailure } from '#contract/saml-sign-ins.ts'

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
