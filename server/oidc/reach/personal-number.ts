import type { KoaContextWithOIDC } from 'oidc-provider'
import { isPlaceholderSsn } from '#contract/fields/ssn-rules.ts'
import { personalNumberScope } from '#contract/service-clients/client-form.ts'
import { writeAuditEvent } from '#server/platform/audit/audit.ts'
import { newId } from '#server/platform/ids.ts'
import { unsealSsn } from '#server/platform/secrets/ssn.ts'
import type { System } from '#server/platform/system.ts'
import { findRequest } from '../requests/request-record.ts'
import { readEnteringPerson } from './entering-person.ts'

export interface PersonalNumberClaims {
  personal_identity_number?: string
  /** BankID has proven that the number is the person's own; otherwise somebody entered it. */
  personal_identity_number_verified?: boolean
}

/**
 * Reads a person's number for a service that a super user lets have it. Each time leaves an event, in the transaction that
 * reads: no number without it.
 */
export async function issuePersonalNumber(
  { db, keys, clock }: System,
  { oidc: { client }, req }: KoaContextWithOIDC,
  { accountId, serviceId, organizationId }: { accountId: string; serviceId: string; organizationId: string | null },
): Promise<PersonalNumberClaims> {
  // Read with the client in each request: what a super user takes back ends at once.
  if (!client?.scope?.split(' ').includes(personalNumberScope)) return {}
  return db.transaction().execute(async (trx) => {
    const { ssnSealed, ssnProvenAt } = await trx
      .selectFrom('users')
      .select(['ssnSealed', 'ssnProvenAt'])
      .where('accountId', '=', accountId)
      .executeTakeFirstOrThrow()
    const ssn = ssnSealed && (await unsealSsn(keys, accountId, ssnSealed))
    if (!ssn || isPlaceholderSsn(ssn)) return {}
    const actor = await readEnteringPerson(trx, accountId, serviceId)
    const service = await trx
      .selectFrom('services')
      .select('name')
      .where('serviceId', '=', serviceId)
      .executeTakeFirstOrThrow()
    const organizationIds = organizationId === null ? actor.organizationIds : [organizationId]
    await writeAuditEvent(
      trx,
      {
        name: 'issuePersonalNumber',
        target: { id: serviceId, label: service.name },
        organizationIds,
        after: { client: client.clientId },
      },
      { actor: { ...actor, organizationIds }, requestId: findRequest(req)?.id ?? newId(), now: clock() },
    )
    return { personal_identity_number: ssn, personal_identity_number_verified: ssnProvenAt !== null }
  })
}
