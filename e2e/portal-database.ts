import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { hashId } from '#server/oidc/hash-id.ts'
import { limitRowKey } from '#server/platform/limits/limits.ts'
import type { DemoEmail } from './people.ts'

/** Changes in the portal's database, for what tests cannot wait for or have no screen for. */
export interface PortalDatabase {
  /** Lets the session of this page's browser be older by some minutes. */
  ageSession: (page: Page, minutes: number) => Promise<void>
  /** Lets all sessions of this user end so many seconds from now. */
  endSessionsIn: (email: DemoEmail, seconds: number) => Promise<void>
  /** Moves the sign-ins of this user so many minutes into the past. */
  ageSignIns: (email: string, minutes: number) => Promise<void>
  /** Lets all sessions of this user have proven a code, too. */
  raiseSessions: (email: DemoEmail) => Promise<void>
  /** Assigns these services to a user, in the user's organisation. */
  giveServices: (email: string, names: readonly string[]) => Promise<void>
  /** Adds so many people to an organisation, each with this service. They stand last in every list. */
  addPeople: (organizationId: string, serviceId: string, count: number) => Promise<void>
  /** Adds an organisation with two admins of long ago and a member, who have the demo's password. @returns the member's id */
  addTeam: (team: { name: string; admins: readonly [string, string]; member: string }) => Promise<string>
  /** Gives an organisation a service that its members may request. @returns its id */
  offerRequestable: (organization: string, name: string) => Promise<string>
  /** Requires a password change, as if an admin had chosen the password. */
  demandPasswordChange: (email: DemoEmail) => Promise<void>
  /** Resets the limits for codes. */
  forgetCodesSent: () => Promise<void>
  /** Resets the limits for invitations to this address. */
  forgetInvitationsTo: (email: string) => Promise<void>
  /** Sets an unused phone number for a user. @returns the number */
  givePhone: (email: DemoEmail) => Promise<string>
  /** Sets the delivery status of an invitation mail. */
  setInvitationMail: (
    email: string,
    mail: { state: 'queued' | 'sent' | 'failed' | 'dropped'; reason?: string },
  ) => Promise<void>
  /** Lets the invitations of an address expire. */
  expireInvitation: (email: string) => Promise<void>
  /** The SAML configuration of users with addresses in this domain. */
  samlConfigOf: (mailDomain: string) => Promise<{ id: number }>
  /** Sets the identity provider of that SAML configuration. */
  setSamlConfig: (mailDomain: string, config: SamlConfigColumns) => Promise<void>
  close: () => Promise<void>
}

interface SamlConfigColumns {
  url: string
  entityId: string
  certificate: string
  wantAssertionsSigned: boolean
  wantAuthnResponseSigned: boolean
  requestSigningEnabled: boolean
  encryptionEnabled?: boolean
  logoutUrl?: string
}

/** What makes a session $2 minutes older. */
const older = `authenticated_at = now() - make_interval(mins => $2),
  proofs = (select coalesce(jsonb_object_agg(key, value::bigint - $2 * 60000), '{}') from jsonb_each_text(proofs))`

/** @param dataDir of a portal that a test started itself */
export async function openPortalDatabase(dataDir = process.env.E2E_DATA_DIR): Promise<PortalDatabase> {
  if (!dataDir) throw new Error('E2E_DATA_DIR does not say where the portal keeps its database')
  const postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  const client = new pg.Client({ connectionString: postgres.ownerUrl })
  await client.connect()
  return {
    endSessionsIn: async (email, seconds) => {
      await client.query(
        `update sessions set expires_at = now() + make_interval(secs => $2)
          from users where users.account_id = sessions.account_id and users.email = $1`,
        [email, seconds],
      )
    },
    ageSession: async (page, minutes) => {
      const cookies = await page.context().cookies()
      const id = cookies.find(({ name }) => name === 'portal_session')?.value ?? ''
      const { rowCount } = await client.query(`update sessions set ${older} where id_hash = $1`, [hashId(id), minutes])
      if (rowCount !== 1) throw new Error('this browser has no session')
    },
    ageSignIns: async (email, minutes) => {
      await client.query(
        `update sessions set ${older}
          from users where users.account_id = sessions.account_id and users.email = $1`,
        [email, minutes],
      )
    },
    raiseSessions: async (email) => {
      await client.query(
        `update sessions set payload = jsonb_set(payload, '{amr}', '["pwd", "otp", "mfa"]')
          from users where users.account_id = sessions.account_id and users.email = $1`,
        [email],
      )
    },
    giveServices: async (email, names) => {
      const services = names.map((name, index) => ({ id: randomUUID(), name, url: `https://tjanst-${index}.example/` }))
      await client.query(
        `with given as (
            insert into services (service_id, name, url)
              select id, name, url from json_to_recordset($2) as service (id uuid, name text, url text)
              returning service_id),
          member as (select account_id, organization_id from memberships join users using (account_id) where users.email = $1),
          offered as (
            insert into organization_services (organization_id, service_id)
              select organization_id, service_id from member, given returning organization_id, service_id)
        insert into service_assignments (account_id, organization_id, service_id)
          select account_id, organization_id, service_id from member join offered using (organization_id)`,
        [email, JSON.stringify(services)],
      )
    },
    addPeople: async (organizationId, serviceId, count) => {
      await client.query(
        `with added as (
            insert into users (account_id, email, email_proof, email_proven_at, first_name, last_name, login_method)
              select id, 'zz.' || id || '@crowd.example', 'mailedLink', now(), 'Östen', 'Öörn', 'local' from (
                select gen_random_uuid() as id from generate_series(1, $3)) many
              returning account_id),
          joined as (
            insert into memberships (account_id, organization_id) select account_id, $1 from added returning account_id)
        insert into service_assignments (account_id, organization_id, service_id) select account_id, $1, $2 from joined`,
        [organizationId, serviceId, count],
      )
    },
    addTeam: async ({ name, admins, member }) => {
      const { rows } = await client.query(
        `with place as (
            insert into organizations (organization_id, name, login_method) values (gen_random_uuid(), $1, 'local')
              returning organization_id),
          people as (
            insert into users (account_id, email, email_proof, email_proven_at, first_name, last_name, login_method, password_hash,
                preferred_language)
              select gen_random_uuid(), new.email, 'mailedLink', now(), initcap(split_part(new.email, '.', 1)), 'Lag', 'local',
                model.password_hash, 'sv'
              from unnest($2::text[]) as new (email), users as model where model.email = $3
              returning account_id, email),
          joined as (
            insert into memberships (account_id, organization_id, user_role, role_since)
              select account_id, organization_id, case when email = $4 then 'regular' else 'organizationAdmin' end, 'epoch'
              from people, place)
        select account_id from people where email = $4`,
        [name, [...admins, member], 'user@nordvik.example', member],
      )
      return rows[0].account_id
    },
    offerRequestable: async (organization, name) => {
      const id = randomUUID()
      await client.query(
        `with added as (
            insert into services (service_id, name, url, description, requestable)
              values ($1, $2, 'https://requested.example/', 'Tidrapporter', true) returning service_id)
        insert into organization_services (organization_id, service_id)
          select organization_id, service_id from organizations, added where organizations.name = $3`,
        [id, name, organization],
      )
      return id
    },
    demandPasswordChange: async (email) => {
      await client.query('update users set password_must_change = true where email = $1', [email])
    },
    forgetCodesSent: async () => {
      await client.query(`delete from limits where key like 'codeSend%' or key like 'smsCodeSend%'`)
    },
    forgetInvitationsTo: async (email) => {
      const { rows } = await client.query<{ id: string }>('select organization_id as id from organizations')
      const keys = rows.map(({ id }) => limitRowKey('invitationResend', `${id} ${email}`))
      await client.query('delete from limits where key = any ($1)', [keys])
    },
    givePhone: async (email) => {
      const number = `+4670${String(Date.now()).slice(-7)}`
      await client.query('update users set phone_number = $2 where email = $1', [email, number])
      return number
    },
    setInvitationMail: async (email, { state, reason = null }: { state: string; reason?: string | null }) => {
      await client.query(
        `update outbox_messages set state = $2, reason = $3
          where id = (select outbox_id from invitations where email = $1)`,
        [email, state, reason],
      )
    },
    expireInvitation: async (email) => {
      await client.query(`update invitations set expires_at = now() - interval '1 minute' where email = $1`, [email])
    },
    samlConfigOf: async (mailDomain) => {
      const { rows } = await client.query('select id from saml_configs where mail_domain = $1', [mailDomain])
      return rows[0]
    },
    setSamlConfig: async (mailDomain, config) => {
      await client.query(
        `update saml_configs set url = $2, entity_id = $3, certificate = $4, want_assertions_signed = $5,
          want_authn_response_signed = $6, request_signing_enabled = $7, encryption_enabled = $8, logout_url = $9 where mail_domain = $1`,
        [
          mailDomain,
          config.url,
          config.entityId,
          config.certificate,
          config.wantAssertionsSigned,
          config.wantAuthnResponseSigned,
          config.requestSigningEnabled,
          config.encryptionEnabled ?? false,
          config.logoutUrl ?? null,
        ],
      )
    },
    close: async () => {
      await client.end()
      await postgres.stop()
    },
  }
}
