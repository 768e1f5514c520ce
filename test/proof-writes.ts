import pg from 'pg'
import type { Route } from '#contract/route.ts'
import { sessionOptions } from '#server/platform/database/session-settings.ts'
import { toRoutePattern } from '#server/platform/http/route-pattern.ts'
import { settledWatch } from './settled.ts'

/**
 * What proves a person: passwords, factors, numbers, addresses, sessions, and the help that takes factors off. Of rows that are
 * only updated these columns count; what a sign-in moves forward in them proves nothing new.
 */
const proofs: Record<string, readonly string[]> = {
  users: [
    ...['email', 'password_hash', 'login_method', 'saml_config_id', 'sign_in_locked_at', 'auth_epoch'],
    ...['usual_factor', 'must_enrol', 'phone_number', 'phone_claim', 'ssn_index', 'ssn_claim', 'ssn_proof'],
  ],
  passkeys: ['public_key', 'ended_at'],
  authenticator_apps: ['secret_sealed'],
  recovery_codes: ['used_at'],
  recoveries: ['asked_by'],
  sessions: ['account_id'],
}

const differs = (columns: readonly string[]) =>
  columns.map((name) => `old.${name} is distinct from new.${name}`).join(' or ')

/** Notes each transaction that writes what proves a person. In a schema of its own: no part of the product. */
export const proofWatch = `
  create schema watch;
  create table watch.proof_writes (xid xid not null, proof text not null);
  create function watch.note_write() returns trigger language plpgsql security definer as $$
    begin insert into watch.proof_writes values (pg_current_xact_id()::xid, tg_table_name); return null; end $$;
  ${Object.entries(proofs)
    .map(
      ([table, columns]) => `
  create trigger watch_rows after insert or delete on ${table} for each row execute function watch.note_write();
  create trigger watch_columns after update on ${table} for each row when (${differs(columns)})
    execute function watch.note_write();`,
    )
    .join('')}`

/** From now on. */
export const watch = (connectionString: string): Promise<unknown> =>
  asOwner(connectionString, (owner) => owner.query(proofWatch + settledWatch))

/**
 * The calls that changed what proves a person, and neither ask for a fresh proof nor say why they need none. An event of the same
 * transaction tells of which request it was, the log of which call. Machines prove themselves in each request.
 *
 * @param logged all lines of the log
 */
export async function findUnprovenCalls(
  connectionString: string,
  { routes, logged }: { routes: readonly Route[]; logged: readonly Record<string, unknown>[] },
): Promise<string[]> {
  const written = await asOwner(connectionString, (owner) =>
    owner.query<{ requestId: string; name: string; proof: string }>(`
      select distinct e.request_id as "requestId", e.name, w.proof
      from audit_events e join watch.proof_writes w on w.xid = e.xmin`),
  )
  const calls = new Map(logged.map((line) => [line.reqId, `${line.method} ${line.route}`]))
  const unproven = routes
    .filter(({ access, freshProof }) => access !== 'machine' && access !== 'scim' && !freshProof)
    .map(({ method, url }) => `${method} ${toRoutePattern(url)}`)
  const found = written.rows
    .map(({ requestId, name, proof }) => ({ call: calls.get(requestId) ?? '', name, proof }))
    .filter(({ call }) => unproven.includes(call))
  return [...new Set(found.map(({ call, name, proof }) => `${call}: ${name} changes ${proof}`))]
}

async function asOwner<Result>(connectionString: string, use: (owner: pg.Client) => Promise<Result>): Promise<Result> {
  const owner = new pg.Client({ connectionString, options: sessionOptions() })
  await owner.connect()
  try {
    return await use(owner)
  } finally {
    await owner.end()
  }
}
