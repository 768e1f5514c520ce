import type { MessageKey } from '#contract/message-key.ts'
import type { Person } from '../people.repository.ts'

/** What the person is told when nobody is signed in. */
export type RefusalKey = Extract<MessageKey, 'samlFailed' | 'samlDeclined' | 'samlRefused' | 'signInOver'>

interface Details {
  key?: RefusalKey
  cause?: unknown
  /** Whom the answer was about, once it was proven to be right. */
  about?: { person: Person | undefined; email: string | undefined }
}

/** An answer that signs nobody in. The message is the reason, for the log and the audit event: a sentence of ours. */
export class Refusal extends Error {
  override name = 'Refusal'
  /** What the person is told. */
  readonly key: RefusalKey
  readonly about: Details['about']

  constructor(reason: string, { key = 'samlFailed', cause, about }: Details = {}) {
    super(reason, { cause })
    this.key = key
    this.about = about
  }
}

/** @throws Refusal with this reason where it does not hold */
export function demand(holds: unknown, reason: string): asserts holds {
  if (!holds) throw new Refusal(reason)
}
