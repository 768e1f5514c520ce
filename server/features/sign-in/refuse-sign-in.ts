import type { AuditEntry } from '#server/platform/audit.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import type { Person } from './people.repository.ts'
import { tellPassive } from './tell-passive.ts'

interface Refused {
  /** As it was given; canonical. */
  email: string
  person: Person | undefined
  /** Whoever asks has proven to be that person: only the person's state forbids the sign-in. */
  proven: boolean
  /** What an administrator has to know to help; a sentence of ours. */
  reason?: string
}

/** Leaves the event of a sign-in that is refused. A passive person who has proven who it is gets the mail that tells why. */
export const refuseSignIn = (
  context: Pick<RequestContext, 'outbox' | 'now' | 'transact'>,
  { email, person, proven, reason }: Refused,
): Promise<void> =>
  context.transact(async (trx, audit) => {
    audit(failureOf(person, email, reason))
    if (person?.passive && proven) await tellPassive(context, trx, person)
  })

/** A failed sign-in is told of the account that was tried; an unknown address has no more than its name. */
export const failureOf = (person: Person | undefined, email: string, reason?: string): AuditEntry => ({
  name: 'loginFailure',
  target: { id: person?.accountId ?? null, label: email },
  organizationIds: person?.organizationIds ?? [],
  after: { reason },
})
