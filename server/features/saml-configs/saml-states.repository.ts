import { sql } from 'kysely'
import type { SamlConfigState } from '#contract/saml-configs/saml-config-state.ts'
import type { Db } from '#server/platform/database/database.ts'
import { readCertificates } from '#server/saml/certificates.ts'

const day = 86_400_000

interface Row {
  id: number
  lastSignIn: Date | null
  failuresOfDay: number
  organizations: SamlConfigState['organizations']
}

/** How these configurations stand. */
export async function readStates(
  db: Db,
  now: Date,
  configs: readonly { id: number; certificate: string }[],
): Promise<(id: number) => SamlConfigState> {
  const { rows } = await sql<Row>`
    select c.id,
      (select s.created_at from saml_sign_ins s where s.saml_config_id = c.id and s.failure is null
        order by s.created_at desc limit 1) as "lastSignIn",
      (select count(*)::int from saml_sign_ins s where s.saml_config_id = c.id and s.failure is not null
        and s.created_at > ${new Date(now.getTime() - day)}) as "failuresOfDay",
      (select coalesce(json_agg(json_build_object('organizationId', o.organization_id, 'name', o.name,
        'uses', o.login_method = 'saml') order by o.name, o.organization_id), '[]')
        from organizations o where o.saml_config_id = c.id) as organizations
    from saml_configs c where c.id = any(${configs.map(({ id }) => id)}::int[])`.execute(db)
  const states = new Map(
    rows.map(({ id, lastSignIn, ...row }) => [id, { ...row, lastSignIn: lastSignIn?.toISOString() ?? null }]),
  )
  const ends = new Map(configs.map(({ id, certificate }) => [id, endOf(certificate)]))
  const nothing = { lastSignIn: null, failuresOfDay: 0, organizations: [] }
  return (id) => ({ ...(states.get(id) ?? nothing), certificateEnd: ends.get(id) ?? null })
}

/** When the last certificate of a text ends. */
function endOf(certificates: string): string | null {
  const ends = readCertificates(certificates).flatMap(({ certificate }) => certificate?.validToDate.getTime() ?? [])
  const last = Math.max(...ends)
  return Number.isFinite(last) ? new Date(last).toISOString() : null
}
