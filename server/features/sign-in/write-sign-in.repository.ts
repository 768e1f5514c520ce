import { sql } from 'kysely'
import { signInMethods } from '#contract/sign-in-methods.ts'
import type { CountedAttempt } from '#server/credentials/credentials.ts'
import type { Person } from '#server/credentials/people.repository.ts'
import { type AddressProof, proofAssignments } from '#server/oidc/address-proof.ts'
import { awaitsFirstSignIn } from '#server/oidc/first-sign-in.ts'
import { hashId } from '#server/oidc/hash-id.ts'
import { type EndedSession, queueOldestLogouts } from '#server/oidc/logout/queue-logouts.ts'
import type { NewSession } from '#server/oidc/new-session.ts'
import { phoneProof } from '#server/oidc/phone-proof.ts'
import type { Proofs } from '#server/oidc/proofs.ts'
import { deleteOldestSessions, insertSession } from '#server/oidc/storage/session-rows.ts'
import { toAuditRow } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import type { Limits } from '#server/platform/limits/limits.ts'
import type { TokenUse } from '#server/platform/secrets/one-time-tokens.ts'
import { hashToken } from '#server/platform/secrets/tokens.ts'
import type { NewBrowser } from './new-browsers/new-browser.ts'
import { noteNewBrowser } from './new-browsers/new-browsers.repository.ts'

/** A sign-in that is proven. */
export interface SignIn {
  /** The id of the interaction. */
  uid: string
  /** Active, or awaited; an awaited person becomes active. */
  person: Person
  /** How the person proved who they are; RFC 8176. */
  amr: readonly string[]
  /** When each factor was proven, for the session. */
  proofs: Proofs
  /** What the sign-in proves about the e-mail address. */
  addressProof?: AddressProof | undefined
  /** A code by text message was used. */
  phoneProven?: boolean
  /** The password was proven with a factor that is not the mailbox. */
  knowsPassword?: boolean
  /** Consumed by this sign-in. */
  ticket?: TokenUse | undefined
  /** Settled whether or not the sign-in is written: the password was right. */
  counted?: CountedAttempt | undefined
  /** Present for a sign-in to the portal. A service's session is made by the provider, which resumes the interaction. */
  session?: NewSession | undefined
  /** Where the account has not been before: its owner is told. */
  newBrowser?: NewBrowser | undefined
  /** Facts of the event: method, client, address, browser. */
  trace: Record<string, unknown>
}

const isActive = sql`(not u.pending and u.passive_at is null and u.sign_in_locked_at is null)`

const endedSessions = sql`(select json_agg(oldest_session) from oldest_session)`

/**
 * Writes a completed sign-in atomically, in one statement.
 *
 * The statement locks in this order, because each part reads from the one before: ticket, person, interaction, the oldest
 * session, the new one, and what belongs to it. Code that ends all sessions of an account also locks the person first: one
 * waits for the other, and what was proven before that end leaves nothing.
 *
 * @returns false when nothing was written: the ticket or the interaction is used up or expired, the person is no longer
 * active, or the account's epoch was raised since the proof
 */
export async function writeSignIn(
  { db, limits, now, requestId }: { db: Db; limits: Limits; now: Date; requestId: string },
  {
    uid,
    person,
    amr,
    proofs,
    addressProof,
    phoneProven,
    knowsPassword,
    ticket,
    counted,
    session,
    newBrowser,
    trace,
  }: SignIn,
): Promise<boolean> {
  const { accountId, email, organizationIds, authEpoch, awaited, addressProven } = person
  const who = { id: accountId, label: email, organizationIds }
  const event = toAuditRow(
    {
      name: 'loginSuccess',
      actor: who,
      target: who,
      before: awaited ? { pending: true } : {},
      after: {
        ...trace,
        ...(awaited ? { pending: false } : {}),
        ...(addressProof && !addressProven ? { emailProof: addressProof } : {}),
      },
    },
    { requestId, now },
  )

  const usedTicket = ticket
    ? sql`
      update one_time_things set consumed_at = ${now}
      where purpose = ${ticket.purpose} and token_hash = ${hashToken(ticket.token)} and consumed_at is null
        and expires_at > ${now}
      returning 1`
    : sql`select 1`

  // Another sign-in at the same time may have activated an awaited person.
  const mayEnter = awaited ? sql`(${isActive} or ${awaitsFirstSignIn})` : isActive

  // The provider resumes an interaction with a result. It may have begun in a session that is over by now.
  // Consent has no page: all services are first-party.
  const result = { login: { accountId, amr, proofs, remember: false }, consent: {} }
  const interactionEnds = session
    ? sql`expires_at = ${now}, consumed_at = ${now}`
    : sql`payload = payload - 'session' || jsonb_build_object('result', ${JSON.stringify(result)}::jsonb)`

  // What an identity provider called the person belongs to this session now, for single logout.
  const companyPart = (made: NewSession) => sql`
    , company_session as (
      update saml_sessions set session_uid = ${made.uid}
      where interaction_hash = ${hashId(uid)} and account_id = ${accountId}::uuid and session_uid is null
        and exists (select from new_session)
    )`

  const sessionParts = session
    ? sql`
    , oldest_session as (${deleteOldestSessions(session, sql`select from person`)}
    ), new_session as (
      ${insertSession(session, sql`person, (select count(*) from oldest_session) as room`)}
      returning 1
    )${amr.includes(signInMethods.company.mark) ? companyPart(session) : sql``}, done as materialized (select from new_session)`
    : sql`, done as materialized (select from person)`

  const statement = sql<{ ended: EndedSession[] | null }>`
    with used_ticket as (${usedTicket}
    ), unchanged as (
      select from users u
      where u.account_id = ${accountId}::uuid and u.auth_epoch = ${authEpoch} and ${mayEnter}
        and exists (select from used_ticket)
      for no key update
    ), interaction as (
      update provider_artifacts set account_id = ${accountId}::uuid, ${interactionEnds}
      where model = 'Interaction' and id_hash = ${hashId(uid)} and expires_at > ${now} and consumed_at is null
        and payload -> 'prompt' ->> 'name' = 'login'
        and exists (select from unchanged)
      returning 1
    ), person as (
      update users set last_login = ${now}, last_active = ${now}
        ${awaited ? sql`, pending = false, version = version + pending::integer` : sql``}
        ${addressProof ? sql`, ${proofAssignments(addressProof, now)}` : sql``}
        ${phoneProven ? sql`, ${phoneProof}` : sql``}
        ${addressProof === 'mailedCode' ? sql`, mail_refused = nullif(mail_refused, 'taken')` : sql``}
        ${knowsPassword ? sql`, password_from_mail = false, mail_refused = nullif(nullif(mail_refused, 'notMe'), 'taken')` : sql``}
      where account_id = ${accountId}::uuid and exists (select from interaction)
      returning 1
    )${sessionParts}${newBrowser ? sql`, noted as (${noteNewBrowser(newBrowser, { accountId, now, from: sql`done` })})` : sql``}${counted ? sql`, settled as (${limits.settlement(counted, now)})` : sql``}
    insert into audit_events (id, name, actor_id, actor, target_id, target, organization_ids, changes, request_id, created_at)
    select ${event.id}::uuid, ${event.name}, ${event.actorId}::uuid, ${event.actor}, ${event.targetId}, ${event.target},
      ${event.organizationIds}::uuid[], ${event.changes}::jsonb, ${event.requestId}, ${event.createdAt}::timestamptz
    from done
    returning ${session ? endedSessions : sql`null`} as ended`
  const [written] = (await executePrepared(db, statement)).rows
  if (counted) counted.settled = true
  // Nearly never: this sign-in was one too many, and the services of the oldest session are told.
  await queueOldestLogouts(db, written?.ended)
  return written !== undefined
}
