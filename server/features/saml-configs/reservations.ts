import { reservationHours, type samlReservations } from '#contract/saml-configs/saml-reservations.ts'
import { clientCertificate } from '#server/company-oidc/client-key.ts'
import { jwksUri, redirectUri } from '#server/company-oidc/redirect-uri.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { acsUrl, ownEntityId, sloUrl, startUrl } from '#server/saml/service-provider.ts'
import { keepId, takeId } from './reservations.repository.ts'
import { reserveId } from './saml-configs.repository.ts'

/** The addresses that a customer's IT enters before anything is saved. */
export const reservationsHandlers: Handlers<typeof samlReservations> = {
  create: async ({ db, now, config, keys }) => {
    const id = await reserveId(db)
    const expiresAt = new Date(now.getTime() + reservationHours * 3_600_000)
    return {
      reservation: await keepId(db, id, { now, expiresAt }),
      serviceProvider: serviceProviderOf({ config, keys }, id),
      expiresAt: expiresAt.toISOString(),
    }
  },
}

/**
 * The number of a new configuration: the reserved one, or the next.
 *
 * @throws Problem 409 `reservationOver` if the reservation has ended or was used
 */
export async function takeReserved(db: Db, now: Date, reservation: string | undefined): Promise<number> {
  if (reservation === undefined) return reserveId(db)
  const id = await takeId(db, now, reservation)
  if (id === undefined) throw new Problem(409, 'reservationOver')
  return id
}

/** What an identity provider must know about this portal. */
export const serviceProviderOf = ({ config, keys }: { config: Config; keys: Keys }, id: number) => ({
  entityId: ownEntityId(config, id),
  acsUrl: acsUrl(config, id),
  sloUrl: sloUrl(config, id),
  startUrl: startUrl(config, id),
  redirectUri: redirectUri(config, id),
  jwksUri: jwksUri(config),
  certificate: clientCertificate(keys),
})
