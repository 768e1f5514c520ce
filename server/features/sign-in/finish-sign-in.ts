import { type RawBuilder, sql } from 'kysely'
import { resumePath } from '#server/oidc/artifacts.adapter.ts'
import { endSession } from '#server/oidc/end-sessions.ts'
import {
  endInteraction,
  findOpenInteraction,
  finishInteraction,
  isPortalsOwn,
  type OpenInteraction,
  restartAddress,
} from '#server/oidc/interactions.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { changeWithAuditEvent } from '#server/platform/audit.ts'
import type { Settling } from '#server/platform/limits.ts'
import { type OneUse, usingUp } from '#server/platform/one-time.ts'
import type { RequestContext } from '#server/platform/request-context.ts'
import type { Session } from '#server/platform/system.ts'
import { arrival } from './arrival.ts'
import { rememberBrowser } from './known-browser.ts'
import { noteSignIn, type Person } from './people.repository.ts'

/** What the end of a sign-in needs of the request, whichever call it is. */
export type FinishContext = Pick<
  RequestContext,
  'db' | 'config' | 'keys' | 'limits' | 'now' | 'http' | 'requestId' | 'transact'
> & { params: { uid: string }; session: Session | undefined }

/** Who it is, and how that was proven. */
export interface Proof {
  /** Active, or awaited: somebody awaited is made active by this. Anybody else gets no session, whatever was proven. */
  person: Person
  amr: readonly string[]
  /** Used up by this sign-in. */
  ticket?: OneUse
}

/**
 * Writes everything that a sign-in leaves. One to the portal itself ends here, with the session and in one statement;
 * one to a service, or over a session that is there already, goes on at the provider. Somebody who is pending and awaited
 * is active from then on.
 *
 * @returns where the browser goes; where the sign-in begins anew when the interaction ended in the meantime or the
 * password was changed
 */
export async function finishSignIn(context: FinishContext, provider: MountedProvider, proof: Proof): Promise<string> {
  const { db, now, params } = context
  const interaction = await findOpenInteraction(db, now, params.uid)
  const end = await finishAtOnce(context, provider, proof, { interaction })
  return end ?? finishBefore(context, provider, proof)
}

interface AtOnce {
  interaction: OpenInteraction | undefined
  /** Counts to take back, in the same statement. */
  settling?: Settling
}

/** @returns undefined when the provider has to be gone through; nothing is written then */
export async function finishAtOnce(
  context: FinishContext,
  provider: MountedProvider,
  proof: Proof,
  { interaction, settling = { forget: [], refund: [] } }: AtOnce,
): Promise<string | undefined> {
  const { db, now, params, session, http, limits } = context
  if (session || !isPortalsOwn(interaction)) return undefined
  const { uid } = params
  const { accountId, authEpoch, email } = proof.person
  const usesUp = proof.ticket !== undefined
  const proven = { accountId, authEpoch, amr: proof.amr, activates: proof.person.awaited, usesUp }
  const end = await provider.complete(http, {
    uid,
    proof: proven,
    ...interaction,
    write: (saved) =>
      writeSuccess(
        context,
        proof.person,
        sql`${beforehand(proof)}${endInteraction(now, uid, proven)}, ${noteSignIn(now, proof.person)}, ${saved},
          ${limits.settling(settling, now)},
          done as materialized (select from finished, noted, saved, settled)`,
      ),
  })
  if (end === 'over') return restartAddress(db, uid, email)
  if (!end) return undefined
  rememberBrowser(http, context, email)
  return arrival(context, end)
}

/** What the sign-in uses up. */
const beforehand = ({ ticket }: Proof) => (ticket ? sql`${usingUp(ticket)}, ` : sql``)

/** Somebody else's session in this browser ends before it. */
async function finishBefore(context: FinishContext, provider: MountedProvider, proof: Proof): Promise<string> {
  const { person, amr, ticket } = proof
  const { db, now, session, http, params } = context
  const { uid } = params
  const { accountId, email, authEpoch } = person
  const forgetSession = session !== undefined && session.actor.accountId !== accountId
  if (forgetSession) provider.tellServices(await context.transact((trx) => endSession(trx, session.key)))
  const activates = person.awaited
  const finished = finishInteraction(now, uid, {
    accountId,
    authEpoch,
    amr,
    activates,
    usesUp: ticket !== undefined,
    forgetSession,
  })
  const change = sql`${beforehand(proof)}${finished}, ${noteSignIn(now, person)}, done as materialized (select from finished, noted)`
  if (!(await writeSuccess(context, person, change))) return restartAddress(db, uid, email)
  rememberBrowser(http, context, email)
  return resumePath(uid)
}

function writeSuccess(
  { db, now, requestId }: FinishContext,
  person: Person,
  change: RawBuilder<unknown>,
): Promise<boolean> {
  const { accountId, email, organizationIds, awaited } = person
  const who = { id: accountId, label: email, organizationIds }
  const activated = awaited ? { before: { pending: true }, after: { pending: false } } : {}
  return changeWithAuditEvent(
    db,
    change,
    { name: 'loginSuccess', actor: who, target: who, ...activated },
    { requestId, now },
  )
}
