import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { createSignInTrace } from '#server/platform/http/sign-in-trace.ts'
import { Problem } from '#server/platform/problem.ts'
import type { System } from '#server/platform/system.ts'
import type { PortalAccount } from '../accounts.ts'
import { runForProvider } from '../provider-problem.ts'
import { readEnteringPerson } from '../reach/entering-person.ts'
import { findRequest } from '../requests/request-record.ts'
import { methodFromAmr } from '../sign-in-method.ts'

/** The prompt of a person who does not have the service: a page names it, and whom to ask. */
export const ownService = 'own_service'

/** Lets only people in who have the service. A refusal is an event, once an hour for a person and a service. */
export function ownServicePrompt(system: System) {
  const { Check, Prompt } = interactionPolicy
  const hasService = new Check('service_not_assigned', 'the service is not assigned', 'access_denied', async (ctx) => {
    const account = ctx.oidc.account as PortalAccount | undefined
    if (!account || account.mayUseClient) return Check.NO_NEED_TO_PROMPT
    await recordRefusal(system, ctx, account.accountId)
    return Check.REQUEST_PROMPT
  })
  return new Prompt({ name: ownService, requestable: false }, hasService)
}

async function recordRefusal({ db, clock, limits }: System, ctx: KoaContextWithOIDC, accountId: string): Promise<void> {
  const { client, session } = ctx.oidc
  const request = findRequest(ctx.req)
  const { service_id: serviceId } = client as unknown as { service_id?: string }
  if (!client || !request || !serviceId) return
  const now = clock()
  try {
    await limits.take(db, [{ name: 'refusedEntry', key: `${accountId} ${serviceId}` }], now)
  } catch (error) {
    if (error instanceof Problem && error.status === 429) return
    throw error
  }
  const write = db.transaction().execute(async (trx) => {
    const actor = await readEnteringPerson(trx, accountId, serviceId)
    const service = await trx
      .selectFrom('services')
      .select('name')
      .where('serviceId', '=', serviceId)
      .executeTakeFirst()
    const how = { method: methodFromAmr(session?.amr ?? []), client: client.clientId }
    await writeAuditEvent(
      trx,
      {
        name: 'serviceEntryRefused',
        target: { id: serviceId, label: service?.name ?? client.clientId },
        organizationIds: actor.organizationIds,
        after: createSignInTrace(request, how),
      },
      { actor, requestId: request.id, now },
    )
  })
  await runForProvider(write)
}
