import { type RawBuilder, sql } from 'kysely'
import { errors } from 'oidc-provider'
import { executePrepared } from '#server/platform/database/prepared-statements.ts'
import { Problem } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import { hashId } from '../hash-id.ts'
import { linkSamlSession } from '../logout/link-saml-session.ts'
import { type EndedSession, queueOldestLogouts } from '../logout/queue-logouts.ts'
import type { ArtifactRow, SavedSession, WaitingWrites } from '../requests/waiting-writes.ts'
import { deleteOldestSessions, insertSession } from './session-rows.ts'

type Write = Pick<WaitingWrites, 'exchanged' | 'entry'> & {
  artifacts?: readonly ArtifactRow[]
  session?: SavedSession | undefined
}

/**
 * Writes what a request saves in one statement: all of it, or nothing.
 *
 * @throws InvalidGrant if the code or token is used up: then it is a replay, which revokes the grant
 * @throws Problem 401 if the session is over
 */
export async function writeRequest(system: System, write: Write): Promise<void> {
  const { exchanged, session, artifacts = [], entry } = write
  if (!exchanged && !session && artifacts.length === 0 && !entry) return
  const [end] = (await executePrepared(system.db, statementOf(system, write))).rows
  if (exchanged && !end?.isWritten) await refuseReplay(system, end?.grantId)
  if (session) await finishSession(system, session, end)
}

interface End {
  isWritten: boolean
  /** Of the code or token that is exchanged. */
  grantId?: string | null
  ended?: EndedSession[] | null
}

/** `allowed` has a row if anything may be written, with the authorization that codes belong to instead of theirs. */
function statementOf({ clock }: System, { artifacts = [], session, exchanged, entry }: Write): RawBuilder<End> {
  const now = clock()
  const parts = [insertArtifacts(artifacts, now)]
  if (entry) parts.push(noteUse(entry, now), noteSignIn(entry, now))
  if (session) parts.push(saveSession(session))
  const others = sql.join(parts)
  if (exchanged)
    return sql<End>`
      with used as (
        update provider_artifacts set consumed_at = ${now}
        where model = ${exchanged.model} and id_hash = ${exchanged.idHash} and consumed_at is null returning 1
      ), allowed as (select null::jsonb as entry from used), ${others}
      select grant_id as "grantId", exists (select from used) as "isWritten"
      from provider_artifacts where model = ${exchanged.model} and id_hash = ${exchanged.idHash}`
  if (session)
    return sql<End>`
      with allowed as materialized (${sessionIsThere(session)}), ${others}
      select exists (select from saved) as "isWritten", (select json_agg(oldest) from oldest) as ended`
  return sql<End>`with allowed as (select null::jsonb as entry), ${others} select true as "isWritten"`
}

/**
 * A session that was read is updated only while its row exists: an ended session is not created again. A new one needs the
 * interaction that it was proven in, which is deleted when all sessions of the account end.
 */
function sessionIsThere({ known, accountId, idHash, clientId, interaction }: SavedSession): RawBuilder<unknown> {
  if (known)
    return sql`
      select case when entry is distinct from ${known.entry}::jsonb then entry end as entry from (
        select payload -> 'authorizations' -> ${clientId}::text as entry from sessions
        where id_hash = ${idHash} and account_id = ${accountId}::uuid for update) as present`
  if (accountId === null) return sql`select null::jsonb as entry`
  return sql`
    select null::jsonb as entry from provider_artifacts
    where model = 'Interaction' and id_hash = ${hashId(interaction)} and account_id = ${accountId}::uuid`
}

function insertArtifacts(rows: readonly ArtifactRow[], now: Date): RawBuilder<unknown> {
  const column = (name: keyof ArtifactRow) => rows.map((row) => row[name])
  return sql`artifacts as (
    insert into provider_artifacts (model, id_hash, payload, grant_id, account_id, expires_at, created_at)
    select model, id_hash,
      case when bound is null then payload
        else payload || jsonb_build_object('grantId', bound -> 'grantId')
          || case when payload ? 'sid' then jsonb_build_object('sid', bound -> 'sid') else '{}' end end,
      coalesce(bound ->> 'grantId', grant_id), account_id, expires_at, ${now}::timestamptz
    from allowed, unnest((select ${column('model')}::text[]), (select ${column('idHash')}::bytea[]),
      (select ${column('payload')}::jsonb[]), (select ${column('grantId')}::text[]),
      (select ${column('accountId')}::uuid[]), (select ${column('expiresAt')}::timestamptz[]))
      as written (model, id_hash, payload, grant_id, account_id, expires_at),
      lateral (select case when model = 'AuthorizationCode' then entry end as bound) as its
    on conflict (model, id_hash) do update set payload = excluded.payload, grant_id = excluded.grant_id,
      account_id = excluded.account_id, expires_at = excluded.expires_at)`
}

/**
 * At most once an hour: for the launcher and for access reviews. Where several organisations gave the service and it does not
 * say for which it is, nothing is noted: one would learn of the use for another.
 */
const noteUse = (
  { accountId, serviceId, organizationId = null }: NonNullable<WaitingWrites['entry']>,
  now: Date,
) => sql`entered as (
    update service_assignments a set last_used = ${now}::timestamptz
    where a.account_id = ${accountId}::uuid and a.service_id = ${serviceId}::uuid
      and (a.organization_id = ${organizationId}::uuid or ${organizationId}::uuid is null and not exists (
        select from current_assignments other
        where other.account_id = a.account_id and other.service_id = a.service_id
          and other.organization_id <> a.organization_id))
      and (a.last_used is null or a.last_used < ${now}::timestamptz - interval '1 hour'))`

/** At most once an hour: the page of a service's sign-in says when the last one was. */
const noteSignIn = ({ clientId }: NonNullable<WaitingWrites['entry']>, now: Date) => sql`signed_in as (
    update clients set last_sign_in = ${now}::timestamptz
    where client_id = ${clientId} and (last_sign_in is null or last_sign_in < ${now}::timestamptz - interval '1 hour'))`

function saveSession(session: SavedSession): RawBuilder<unknown> {
  const { accountId, known, clientId } = session
  const isFresh = accountId !== null && !known
  const when = isFresh ? sql`select from allowed` : sql`select where false`
  return sql`oldest as (${deleteOldestSessions(session, when)}
    ), saved as (
      ${insertSession(session, sql`allowed, (select count(*) from oldest) as room`)}
      on conflict (id_hash) do update set uid = excluded.uid, account_id = excluded.account_id,
        auth_epoch = case when present.account_id = excluded.account_id then present.auth_epoch else excluded.auth_epoch end,
        proofs = case when present.account_id = excluded.account_id then present.proofs || excluded.proofs
          else excluded.proofs end, authenticated_at = excluded.authenticated_at, user_agent = excluded.user_agent, ip = excluded.ip,
        payload = case when present.account_id = excluded.account_id then jsonb_set(
          excluded.payload, '{authorizations}', coalesce(present.payload -> 'authorizations', '{}') || jsonb_strip_nulls(
            jsonb_build_object(coalesce(${clientId}::text, ''),
              coalesce((select entry from allowed), excluded.payload -> 'authorizations' -> ${clientId}::text))))
          else excluded.payload end, last_used_at = excluded.last_used_at, expires_at = excluded.expires_at
      returning 1)`
}

async function finishSession(
  { db }: System,
  { federated, interaction, accountId, uid }: SavedSession,
  end: End | undefined,
): Promise<void> {
  if (!end?.isWritten) throw new Problem(401, 'signInOver')
  await queueOldestLogouts(db, end.ended)
  if (federated && accountId) await linkSamlSession(db, { interaction, accountId, sessionUid: uid })
}

async function refuseReplay({ db }: System, grantId: string | null | undefined): Promise<never> {
  if (grantId) await db.deleteFrom('providerArtifacts').where('grantId', '=', grantId).execute()
  throw new errors.InvalidGrant('already used')
}
