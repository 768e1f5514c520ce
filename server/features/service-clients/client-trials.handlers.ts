import type { FastifyRequest } from 'fastify'
import type { clientTrials } from '#contract/service-clients/client-trial.ts'
import { type ClientRow, findClientOf, formOfRow } from '#server/oidc/clients/client-rows.ts'
import { readSecret } from '#server/oidc/clients/client-secrets.ts'
import type { MountedProvider } from '#server/oidc/mount-provider.ts'
import { onTrial } from '#server/oidc/requests/trial.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { findFirstOrganization } from './service-clients.repository.ts'
import { type Send, tryClient } from './try-client.ts'

/** Trials of a service's client by the super user who set it up. */
export function clientTrialsHandlers(provider: MountedProvider): Handlers<typeof clientTrials> {
  return {
    run: async (context) => {
      const { db, params, input, config, http } = context
      const row = found(await findClientOf(db, params.id))
      const secret = await readSecret(context, row)
      const { accountId } = context.actor
      const organizationId = await findFirstOrganization(db, accountId, params.id)
      const isAssigned = organizationId !== undefined
      await context.transact(async (_, audit) =>
        audit({ name: 'tryClient', target: targetOf(row), after: isAssigned ? {} : { trialWithoutService: true } }),
      )
      const asService = sender(provider, config.baseUrl, http.request)
      const run = () =>
        tryClient({
          issuer: `${config.baseUrl}/oidc`,
          row,
          secret: formOfRow(row).authentication.startsWith('client_secret_') ? secret : undefined,
          input,
          organizationId,
          asService,
          asBrowser: (request) =>
            asService({ ...request, headers: { ...request.headers, cookie: http.request.headers.cookie ?? '' } }),
        })
      return onTrial({ accountId, serviceId: params.id }, run)
    },
    testLogout: async (context) => {
      const row = found(await findClientOf(context.db, context.params.id))
      if (!row.backchannelLogoutUri) throw new Problem(404, 'notFound')
      await context.transact(async (_, audit) => audit({ name: 'testClientLogout', target: targetOf(row) }))
      return { status: await provider.testLogout(row.clientId) }
    },
  }
}

const targetOf = ({ serviceId, name }: ClientRow) => ({ id: serviceId, label: name })

/** Requests to this very app, with the address of the one who tries: limits count them like any other. */
function sender(provider: MountedProvider, baseUrl: string, { ip }: FastifyRequest): Send {
  const { host } = new URL(baseUrl)
  return async ({ method, url, headers = {}, form }) => {
    const response = await provider.inject({
      method,
      url,
      remoteAddress: ip,
      headers: {
        host,
        accept: 'application/json',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    })
    const { location } = response.headers
    return {
      status: response.statusCode,
      location: typeof location === 'string' ? location : undefined,
      body: parsed(response.body),
    }
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text)
    return value && typeof value === 'object' ? value : {}
  } catch {
    return {}
  }
}
