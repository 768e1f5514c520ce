import * as z from 'zod/mini'
import { id, text, timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'

/**
 * What the identity provider must know about this portal: with OpenID Connect the redirect URI, and the key where that takes
 * the place of a secret. The entity ID is also the address of the metadata.
 */
export const serviceProvider = z.object({
  entityId: z.string(),
  acsUrl: z.string(),
  sloUrl: z.string(),
  startUrl: z.string(),
  redirectUri: z.string(),
  jwksUri: z.string(),
  certificate: z.string(),
})

/** How long a reservation holds. */
export const reservationHours = 24

/** Of a new configuration: the reservation whose addresses the identity provider knows already, and for whom it is. */
export const forWhom = {
  reservation: z.optional(text(100)),
  /** An organisation without a configuration gets this one; how its people sign in is not changed by that. */
  organizationId: z.optional(id),
}

export const samlReservations = {
  create: route('POST /api/saml-configs/reservations', {
    summary: `Our addresses for a configuration that is not saved yet; they are kept for ${reservationHours} hours`,
    access: 'manageSamlConfigs',
    answer: z.object({ reservation: z.string(), serviceProvider, expiresAt: timestamp }),
    status: 201,
    audit: 'none',
  }),
}
