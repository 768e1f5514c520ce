import type { SignInMethod } from '#contract/roles.ts'
import { findClientId } from '#server/oidc/interactions.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { createSignInTrace } from '#server/platform/http/sign-in-trace.ts'
import { notifyPassiveUser } from './notify-passive-user.ts'
import type { Person } from './people.repository.ts'

/** An attempt that failed. */
interface Failed {
  /** As it was given; canonical. */
  email: string
  person: Person | undefined
  method: SignInMethod
  /** The interaction, where there is one. */
  uid: string | undefined
  /** What an administrator needs to know to help; never user input. */
  reason?: string | undefined
}

interface Refused extends Failed {
  /** The identity was proven: only the person's state forbids the sign-in. */
  proven: boolean
  /** Runs in the same transaction. */
  alongside?: ((db: Db) => Promise<void>) | undefined
}

type Context = Pick<RequestContext, 'outbox' | 'now' | 'transact' | 'http' | 'counters'>

/** Audits a refused sign-in. A passive person whose identity was proven gets a mail that explains why. */
export const refuseSignIn = (context: Context, { proven, alongside, ...failed }: Refused): Promise<void> =>
  context.transact(async (trx, audit) => {
    audit(await loginFailureEntry(context, trx, failed))
    if (failed.person?.passive && proven) await notifyPassiveUser(context, trx, failed.person)
    await alongside?.(trx)
  })

/** The audit entry of a failed sign-in. Its target is the account, or just the address if that is unknown. */
export async function loginFailureEntry(
  { http, counters }: Pick<Context, 'http' | 'counters'>,
  db: Db,
  { email, person, method, uid, reason }: Failed,
): Promise<AuditEntry> {
  counters.signIns.inc({ method, outcome: 'failure' })
  return {
    name: 'loginFailure',
    // Not the user of this browser's session: their admins would learn from the event which addresses have an account.
    actor: null,
    target: { id: person?.accountId ?? null, label: email },
    organizationIds: person?.organizationIds ?? [],
    after: { ...createSignInTrace(http.request, { method, client: await findClientId(db, uid) }), reason },
  }
}
