import { needsNumber } from '#contract/login-methods.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import { reachingMore } from '#server/accounts/directory-groups.ts'
import type { CountedAttempt } from '#server/credentials/credentials.ts'
import { rememberBrowser } from '#server/credentials/known-browser.ts'
import type { Person } from '#server/credentials/people.repository.ts'
import { type NumberProof, proveNumber } from '#server/credentials/prove-number.ts'
import type { AddressProof } from '#server/oidc/address-proof.ts'
import { clientIdOf, findOpenInteraction, isPortalSignIn, type OpenInteraction } from '#server/oidc/interactions.ts'
import { readBrowserId, verifyReturnTo } from '#server/oidc/login-state.ts'
import { createSession, setSessionCookies } from '#server/oidc/new-session.ts'
import { type Proofs, proofsOf } from '#server/oidc/proofs.ts'
import { restartSignIn } from '#server/oidc/restart-sign-in.ts'
import { methodFromAmr, provesMoreThanMail } from '#server/oidc/sign-in-method.ts'
import { signOutSession } from '#server/oidc/sign-out.ts'
import { resumePath } from '#server/oidc/storage/artifacts.adapter.ts'
import type { Db } from '#server/platform/database/database.ts'
import { inTransaction } from '#server/platform/database/transactions.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { createSignInTrace } from '#server/platform/http/sign-in-trace.ts'
import { askerKey } from '#server/platform/limits/known-browsers.ts'
import type { LimitKey } from '#server/platform/limits/limits.ts'
import type { TokenUse } from '#server/platform/secrets/one-time-tokens.ts'
import type { Session } from '#server/platform/system.ts'
import { findNewBrowser } from './new-browsers/new-browser.ts'
import { writeSignIn } from './write-sign-in.repository.ts'

/** What finishing a sign-in needs from the request context. */
export type FinishContext = Pick<
  RequestContext,
  'db' | 'config' | 'keys' | 'limits' | 'now' | 'http' | 'requestId' | 'transact' | 'counters' | 'outbox'
> & {
  params: { uid: string }
  session: Session | undefined
}

/** Who it is, and how that was proven. */
export interface Proof {
  /** Active, or awaited: an awaited person becomes active. No one else gets a session, even with valid credentials. */
  person: Person
  amr: readonly string[]
  /** The company may have answered from its own session, which began whenever, and the link of an invitation been passed on. */
  isOfEarlier?: boolean | undefined
  /** Present when the sign-in proves that the person reads the mail of the address. */
  addressProof?: AddressProof | undefined
  /** Present when the sign-in proves the account's personal number, which was not proven before. */
  number?: NumberProof | undefined
  /** Consumed by this sign-in. */
  ticket?: TokenUse
  /** The attempt of a password that this request has checked; settled by this sign-in. */
  counted?: CountedAttempt | undefined
  /** The open sign-in, where this request has read it. */
  interaction?: OpenInteraction | undefined
}

/**
 * Finishes a sign-in. A sign-in to the portal gets its session here. A sign-in to a service, or in a browser that is
 * already signed in, continues at the OpenID provider. Another person's session in this browser ends first.
 *
 * @returns where the browser goes: to a new sign-in if the interaction is over or the account has changed since
 */
export async function finishSignIn(context: FinishContext, proof: Proof): Promise<string> {
  const { db, now, http, params, session: present } = context
  const { uid } = params
  const { person } = proof
  // What this session has proven before stays proven.
  const earlier = present?.actor.accountId === person.accountId ? present.amr : []
  const amr = [...new Set([...earlier, ...proof.amr])]
  const interaction = proof.interaction ?? (await findOpenInteraction(db, now, uid))
  const client = clientIdOf(interaction)
  if (present && present.actor.accountId !== person.accountId) await signOutSession(context, present, client)
  const proofs = proofsNow(proof, now)
  const session =
    !present && isPortalSignIn(interaction)
      ? createSession(context, { accountId: person.accountId, amr, proofs })
      : undefined
  if (proof.number) await proveNumber(context, person.accountId, proof.number)
  const method = methodFromAmr(proof.amr)
  const trace = createSignInTrace(http.request, { method, client })
  // The look-up was for the own sign-in, and not for the ways of others.
  const asked: LimitKey = { name: 'authType', key: askerKey({ ...context, ip: http.request.ip }, person.email) }
  const counted = proof.counted ?? { forget: [], refund: [], settled: false }
  counted.refund = [...counted.refund, asked]
  const phoneProven = proof.amr.includes(signInMethods.sms.mark)
  // With what a reset of the password by mail does not prove already.
  const knowsPassword = proof.amr.includes(signInMethods.password.mark) && provesMoreThanMail(proof.amr)
  const signIn = { uid, ...proof, counted, amr, proofs, phoneProven, knowsPassword, session, trace }
  const addressProven = person.addressProven || proof.addressProof !== undefined
  const newBrowser = findNewBrowser(context, { ...person, addressProven })
  const write = (on: Db) => writeSignIn({ ...context, db: on }, { ...signIn, newBrowser })
  const isProofNew = proof.addressProof !== undefined && !person.addressProven
  const written = isProofNew
    ? await inTransaction(db, (trx) => reachingMore(trx, person.accountId, () => write(trx)))
    : await write(db)
  if (!written) return restartSignIn(context, uid, person.email, 'signInOver')
  context.counters.signIns.inc({ method, outcome: 'success' })
  rememberBrowser(http, context, person, amr)
  if (!session) return resumePath(uid)
  setSessionCookies(context, { id: session.id, interaction: uid })
  const state = interaction?.payload.params?.state
  return verifyReturnTo(
    context.keys,
    readBrowserId(http.request, context.config),
    state === undefined ? state : String(state),
  )
}

/**
 * A number that nobody had proven before, or that is an admin's word, opens nothing that is dangerous: the person who holds the
 * session may have had it entered.
 */
function proofsNow({ amr, isOfEarlier = false, number, person }: Proof, now: Date): Proofs {
  if (isOfEarlier) return {}
  const { bankid, ...others } = proofsOf(amr, now)
  const isOwnWord = !needsNumber(person.loginMethod) && (number !== undefined || person.ssnIsClaim)
  return bankid === undefined || isOwnWord ? others : { ...others, bankid }
}
