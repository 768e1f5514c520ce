import { fittingClient, newClient } from '#contract/service-clients/client-form.ts'
import { clientTrials } from '#contract/service-clients/client-trial.ts'
import { type ServiceClient, serviceClients } from '#contract/service-clients/service-clients.ts'
import type { Config } from '#server/config.ts'
import { type ClientRow, findClientOf, formOfRow } from '#server/oidc/clients/client-rows.ts'
import {
  changeClient,
  registerClient,
  removeClient,
  removePreviousSecret,
  rotateSecret,
} from '#server/oidc/clients/service-clients.ts'
import type { Db } from '#server/platform/database/database.ts'
import { checkVersion, merged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { clientTrialsHandlers } from './client-trials.handlers.ts'
import { listSignOuts } from './list-sign-outs.repository.ts'
import { findService, lockService, noteSecretMaker } from './service-clients.repository.ts'

const hour = 3_600_000

export const serviceClientsHandlers: Handlers<typeof serviceClients> = {
  read: async ({ db, params, config, now }) => {
    found(await findService(db, params.id))
    const row = await findClientOf(db, params.id)
    const last = row?.kind === 'machine' ? row.secretUsedAt : row?.lastSignIn
    return { ...answerOf(config, row, now), lastSignIn: last?.toISOString() ?? null }
  },
  signOuts: async ({ db, params, query }) => {
    found(await findService(db, params.id))
    const client = await findClientOf(db, params.id)
    return client ? listSignOuts(db, client.clientId, { failed: query.failed === 'true' }) : []
  },
  save: async (context) => {
    const { db, params, input, audit, config, now, actor } = context
    const { version, ...rest } = input
    found(await lockService(db, params.id))
    const row = await findClientOf(db, params.id)
    checkVersion({ version: row?.version ?? 0 }, version)
    // Of a new client, what was not said follows the kind.
    const base = row ? formOfRow(row) : fittingClient(merged(newClient, pick(rest, ['kind', 'authentication'])))
    const form = merged(base, rest)
    const change = row
      ? await changeClient(context, db, row, form)
      : await registerClient(context, db, { serviceId: params.id, form })
    if (change) audit(change.event)
    if (change?.secret) await noteSecretMaker(db, change.row.clientId, actor.accountId)
    return { ...answerOf(config, change?.row ?? row, now), newSecret: change?.secret ?? null }
  },
  remove: async ({ db, params, audit }) => {
    audit(await removeClient(db, await lockedClient(db, params.id)))
    return undefined
  },
  createSecret: async (context) => {
    const { db, params, input, audit, config, now, actor } = context
    const endsAt = new Date(now.getTime() + input.keepHours * hour)
    const { row, secret, event } = await rotateSecret(context, db, await lockedClient(db, params.id), endsAt)
    audit(event)
    await noteSecretMaker(db, row.clientId, actor.accountId)
    return { newSecret: secret ?? '', client: answerOf(config, row, now) }
  },
  removeSecret: async ({ db, params, audit }) => {
    audit(await removePreviousSecret(db, await lockedClient(db, params.id)))
    return undefined
  },
}

async function lockedClient(db: Db, serviceId: string): Promise<ClientRow> {
  found(await lockService(db, serviceId))
  return found(await findClientOf(db, serviceId))
}

const pick = <Given extends object>(given: Given, names: readonly string[]): Partial<Given> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name))) as Partial<Given>

function answerOf({ baseUrl }: Config, row: ClientRow | undefined, now: Date): ServiceClient {
  const issuer = `${baseUrl}/oidc`
  const about = { issuer, discovery: `${issuer}/.well-known/openid-configuration` }
  if (!row)
    return { ...newClient, ...about, kind: 'none', clientId: null, secret: null, previousSecret: null, version: 0 }
  const { secretSealed, previousSecretSealed, previousSecretEndsAt } = row
  const stillEnds = previousSecretSealed && previousSecretEndsAt && previousSecretEndsAt > now
  return {
    ...formOfRow(row),
    ...about,
    clientId: row.clientId,
    secret: secretSealed ? stateOf(row.secretCreatedAt, row.secretUsedAt, null) : null,
    previousSecret: stillEnds
      ? stateOf(row.previousSecretCreatedAt, row.previousSecretUsedAt, previousSecretEndsAt)
      : null,
    version: row.version,
  }
}

const stateOf = (createdAt: Date | null, lastUsed: Date | null, endsAt: Date | null) => ({
  createdAt: createdAt?.toISOString() ?? null,
  lastUsed: lastUsed?.toISOString() ?? null,
  endsAt: endsAt?.toISOString() ?? null,
})

export const createCallGroups: CreateCallGroups = ({ provider }) => [
  callGroup(serviceClients, serviceClientsHandlers),
  callGroup(clientTrials, clientTrialsHandlers(provider)),
]
