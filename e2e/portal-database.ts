import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import type { DemoEmail } from './people.ts'

/** What journeys cannot wait for, or have no screen for: done in the portal's own database. */
export interface PortalDatabase {
  /** As if nobody had come for a while: all that this person is signed in with ends so many seconds from now. */
  endSessionsIn: (email: DemoEmail, seconds: number) => Promise<void>
  /** As if this person had signed in so many minutes ago. */
  ageSignIns: (email: string, minutes: number) => Promise<void>
  /** Gives a person these services, in the organisation that the person belongs to. */
  giveServices: (email: DemoEmail, names: readonly string[]) => Promise<void>
  /** As if somebody else had chosen this person's password. */
  demandPasswordChange: (email: DemoEmail) => Promise<void>
  /** As if nobody had asked for a code for a while. */
  forgetCodesSent: () => Promise<void>
  /** As if nobody had imported anybody for a while. */
  forgetImports: () => Promise<void>
  /** Makes up a phone number for somebody, which nobody else has. @returns the number */
  givePhone: (email: DemoEmail) => Promise<string>
  /** As if the mail with somebody's invitation had come this far. */
  setInvitationMail: (
    email: string,
    mail: { state: 'queued' | 'sent' | 'failed' | 'dropped'; reason?: string },
  ) => Promise<void>
  /** As if somebody's invitation had run out, or had been accepted but never used. */
  setInvitation: (email: string, what: 'expired' | 'accepted') => Promise<void>
  /** The company sign-in of people with addresses in this domain. */
  samlConfigOf: (mailDomain: string) => Promise<{ id: number }>
  /** As if an operator had told who the company's identity provider is. */
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
}

/** @param dataDir of a portal that a journey started for itself */
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
    ageSignIns: async (email, minutes) => {
      await client.query(
        `update sessions set authenticated_at = now() - make_interval(mins => $2)
          from users where users.account_id = sessions.account_id and users.email = $1`,
        [email, minutes],
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
    demandPasswordChange: async (email) => {
      await client.query('update users set password_must_change = true where email = $1', [email])
    },
    forgetCodesSent: async () => {
      await client.query(`delete from limits where key like 'codeSend%'`)
    },
    forgetImports: async () => {
      await client.query(`delete from limits where key like 'importedInvitation%'`)
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
    setInvitation: async (email, what) => {
      const change = what === 'expired' ? `expires_at = now() - interval '1 minute'` : 'accepted_at = now()'
      await client.query(`update invitations set ${change} where email = $1`, [email])
    },
    samlConfigOf: async (mailDomain) => {
      const { rows } = await client.query('select id from saml_configs where mail_domain = $1', [mailDomain])
      return rows[0]
    },
    setSamlConfig: async (mailDomain, config) => {
      await client.query(
        `update saml_configs set url = $2, entity_id = $3, certificate = $4, want_assertions_signed = $5,
          want_authn_response_signed = $6, request_signing_enabled = $7 where mail_domain = $1`,
        [
          mailDomain,
          config.url,
          config.entityId,
          config.certificate,
          config.wantAssertionsSigned,
          config.wantAuthnResponseSigned,
          config.requestSigningEnabled,
        ],
      )
    },
    close: async () => {
      await client.end()
      await postgres.stop()
    },
  }
}
