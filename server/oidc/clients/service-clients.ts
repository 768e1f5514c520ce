import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Issue } from '#contract/problem.ts'
import { isLoopback } from '#contract/service-clients/client-addresses.ts'
import { type ClientForm, problemsOfClient } from '#contract/service-clients/client-form.ts'
import type { AuditEntry } from '#server/platform/audit/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Problem } from '#server/platform/problem.ts'
import { isStrongJwk } from '#server/platform/secrets/strong-keys.ts'
import type { System } from '#server/platform/system.ts'
import { portalClientId } from '../clients.adapter.ts'
import { type ClientRow, findClientOf, formOfRow, rowOfForm } from './client-rows.ts'
import { keptSecret, newSecret, noPreviousSecret } from './client-secrets.ts'

type Context = Pick<System, 'keys' | 'clock' | 'config'>

/** A client as the audit log shows it: addresses one a line. */
const described = (clientId: string, { redirectUris, postLogoutRedirectUris, scopes, apis, ...rest }: ClientForm) => ({
  client: clientId,
  ...rest,
  redirectUris: redirectUris.join('\n'),
  postLogoutRedirectUris: postLogoutRedirectUris.join('\n'),
  scopes: scopes.join(' '),
  apis: apis.join('\n'),
})

/** What a change of a client leaves: the row, a secret that cannot be read again, and the event. */
export interface ClientChange {
  row: ClientRow
  secret: string | null
  event: AuditEntry
}

/**
 * Registers the client of a service.
 *
 * @throws Problem 422 with the fields that are wrong, 409 `clientExists`
 */
export async function registerClient(
  system: Context,
  db: Db,
  { serviceId, clientId, form }: { serviceId: string; clientId?: string | undefined; form: ClientForm },
): Promise<ClientChange> {
  checkForm(system, form)
  // Locked, so that a service gets one client.
  const service = await findService(db, serviceId).forUpdate().executeTakeFirstOrThrow()
  const id = clientId ?? newClientId(service.name)
  await checkApis(db, id, form)
  if (!/^[\w.-]{1,100}$/.test(id) || id === portalClientId)
    throw invalid([{ path: 'clientId', message: 'invalidText' }])
  if (await findClientOf(db, serviceId)) throw new Problem(409, 'clientExists')
  const made = usesSecret(form) ? newSecret(system, id, system.clock()) : undefined
  const row = await db
    .insertInto('clients')
    .values({ clientId: id, serviceId, name: service.name, ...rowOfForm(form), ...made?.columns })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new Problem(409, 'clientExists')
  const event: AuditEntry = { name: 'createClient', target: labelled(service), after: described(id, form) }
  return { row, secret: made?.secret ?? null, event }
}

/**
 * Changes a client; a secret is made when it begins to need one, and ends when it needs none any more.
 *
 * @param row locked
 * @returns undefined where nothing changes
 * @throws Problem 422 with the fields that are wrong
 */
export async function changeClient(
  system: Context,
  db: Db,
  row: ClientRow,
  form: ClientForm,
): Promise<ClientChange | undefined> {
  checkForm(system, form)
  const [before, after] = [described(row.clientId, formOfRow(row)), described(row.clientId, form)]
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined
  await checkApis(db, row.clientId, form)
  const made = usesSecret(form) && !row.secretSealed ? newSecret(system, row.clientId, system.clock()) : undefined
  const changed = await db
    .updateTable('clients')
    .set({
      ...rowOfForm(form),
      ...(usesSecret(form)
        ? made?.columns
        : { ...noPreviousSecret, secretSealed: null, secretCreatedAt: null, secretUsedAt: null, secretMadeBy: null }),
      version: sql`version + 1`,
    })
    .where('clientId', '=', row.clientId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const target = await targetOf(db, row)
  return { row: changed, secret: made?.secret ?? null, event: { name: 'updateClient', target, before, after } }
}

/** Removes a client: nobody can sign in to its service by it any more. Sessions at the service are the service's own. */
export async function removeClient(db: Db, row: ClientRow): Promise<AuditEntry> {
  await db.deleteFrom('clients').where('clientId', '=', row.clientId).execute()
  return { name: 'deleteClient', target: await targetOf(db, row), before: described(row.clientId, formOfRow(row)) }
}

/**
 * Makes a new secret. The present one works until `endsAt`; the one before it ends now.
 *
 * @throws Problem 409 `clientHasNoSecret`
 */
export async function rotateSecret(system: Context, db: Db, row: ClientRow, endsAt: Date): Promise<ClientChange> {
  if (!row.secretSealed) throw new Problem(409, 'clientHasNoSecret')
  const now = system.clock()
  const { secret, columns } = newSecret(system, row.clientId, now)
  const kept = endsAt > now ? await keptSecret(system, row, endsAt) : noPreviousSecret
  const changed = await updateSecrets(db, row, { ...columns, ...kept })
  const after = { client: row.clientId, expiresAt: kept.previousSecretEndsAt }
  return { row: changed, secret, event: { name: 'createClientSecret', target: await targetOf(db, row), after } }
}

/**
 * Ends the previous secret now.
 *
 * @throws Problem 404
 */
export async function removePreviousSecret(db: Db, row: ClientRow): Promise<AuditEntry> {
  if (!row.previousSecretSealed) throw new Problem(404, 'notFound')
  await updateSecrets(db, row, noPreviousSecret)
  const before = { client: row.clientId, expiresAt: row.previousSecretEndsAt }
  return { name: 'deleteClientSecret', target: await targetOf(db, row), before }
}

// The version stays: secrets are no part of the form, and somebody may be typing in it.
const updateSecrets = (db: Db, { clientId }: ClientRow, columns: Partial<ClientRow>) =>
  db.updateTable('clients').set(columns).where('clientId', '=', clientId).returningAll().executeTakeFirstOrThrow()

const usesSecret = ({ authentication }: ClientForm) => authentication.startsWith('client_secret_')

const invalid = (issues: Issue[]) => new Problem(422, 'validationFailed', { issues })

function checkForm({ config }: Context, form: ClientForm): void {
  const found = problemsOfClient(form)
  if (found.length > 0) throw invalid(found)
  if (form.jwks && !provingKeys(form.jwks).every(isStrongJwk))
    throw invalid([{ path: 'jwks', message: 'clientKeyWeak' }])
  const ownHost = new URL(config.baseUrl).hostname
  const insecure = (text: string) => {
    const uri = new URL(text)
    if (uri.protocol !== 'http:' || form.kind === 'native') return false
    return config.production || !(isLoopback(uri) || uri.hostname === ownHost)
  }
  const addresses = {
    redirectUris: form.redirectUris,
    postLogoutRedirectUris: form.postLogoutRedirectUris,
    backchannelLogoutUri: form.backchannelLogoutUri ? [form.backchannelLogoutUri] : [],
    frontchannelLogoutUri: form.frontchannelLogoutUri ? [form.frontchannelLogoutUri] : [],
    jwksUri: form.jwksUri ? [form.jwksUri] : [],
    initiateLoginUri: form.initiateLoginUri ? [form.initiateLoginUri] : [],
  }
  const wrong = Object.entries(addresses).filter(([, list]) => list.some(insecure))
  if (wrong.length > 0) throw invalid(wrong.map(([path]) => ({ path, message: 'clientAddressInsecure' })))
}

/** The portal encrypts nothing for services, whatever keys they have for that. */
const provingKeys = (jwks: string): { use?: string }[] =>
  JSON.parse(jwks).keys.filter(({ use }: { use?: string }) => use !== 'enc')

/** The name of an API belongs to one client, and what is asked for has to exist. */
async function checkApis(db: Db, clientId: string, { apiUri, apis }: ClientForm): Promise<void> {
  const rows = await db
    .selectFrom('clients')
    .select('apiUri')
    .where('clientId', '<>', clientId)
    .where('apiUri', 'in', [...apis, apiUri ?? ''])
    .execute()
  const others = new Set(rows.map((row) => row.apiUri))
  if (apiUri && others.has(apiUri)) throw invalid([{ path: 'apiUri', message: 'apiUriTaken' }])
  if (apis.some((api) => api !== apiUri && !others.has(api))) throw invalid([{ path: 'apis', message: 'apiUnknown' }])
}

/** Readable in the logs of the service, and not to be confused with another: `journal-4f09ac`. */
function newClientId(name: string): string {
  const plain = name.normalize('NFD').toLowerCase().replace(/\p{M}/gu, '')
  const words = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  return `${words || 'service'}-${randomBytes(3).toString('hex')}`
}

const findService = (db: Db, serviceId: string) =>
  db.selectFrom('services').select(['serviceId', 'name']).where('serviceId', '=', serviceId)

const labelled = ({ serviceId, name }: { serviceId: string; name: string }) => ({ id: serviceId, label: name })

/** The service is what an event of its client is about. */
async function targetOf(db: Db, { serviceId, name }: ClientRow) {
  const service = serviceId ? await findService(db, serviceId).executeTakeFirst() : undefined
  return service ? labelled(service) : { id: null, label: name }
}
