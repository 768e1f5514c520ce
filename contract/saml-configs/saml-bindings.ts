import * as z from 'zod/mini'
import { message, optionalUrl } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'

/** The most that the clock of an identity provider may differ from ours, in seconds. */
export const maxClockSkew = 300

/** How messages reach an identity provider, what it encrypts with, and how exact its clock is. */
export const samlBindings = {
  /** Sign-in requests are posted by a form, for identity providers without HTTP-Redirect. */
  postRequests: z.boolean(),
  /** The same for sign-outs. */
  postLogout: z.boolean(),
  /** Where answers to sign-outs go (`ResponseLocation`); null: where sign-outs go. */
  logoutResponseUrl: optionalUrl,
  /** AES-CBC is decrypted too: only with `wantAuthnResponseSigned`. */
  cbcAllowed: z.boolean(),
  clockSkewSeconds: z
    .int(message('invalidNumber'))
    .check(z.minimum(0, message('clockSkewRange')), z.maximum(maxClockSkew, message('clockSkewRange'))),
}

export const defaultClockSkew = 30

/** In a form that creates, what is left out is the default. */
export const samlBindingDefaults = {
  postRequests: z._default(z.optional(samlBindings.postRequests), false),
  postLogout: z._default(z.optional(samlBindings.postLogout), false),
  logoutResponseUrl: z._default(z.optional(samlBindings.logoutResponseUrl), null),
  cbcAllowed: z._default(z.optional(samlBindings.cbcAllowed), false),
  clockSkewSeconds: z._default(z.optional(samlBindings.clockSkewSeconds), defaultClockSkew),
}

/** As they are stored. */
export const storedSamlBindings = {
  postRequests: z.boolean(),
  postLogout: z.boolean(),
  logoutResponseUrl: z.nullable(z.string()),
  cbcAllowed: z.boolean(),
  clockSkewSeconds: z.int(),
}
const stored = z.object(storedSamlBindings)
export type SamlBindings = z.infer<typeof stored>

export const samlBindingLabels: FieldLabels<SamlBindings> = {
  postRequests: 'postRequests',
  postLogout: 'postLogout',
  logoutResponseUrl: 'logoutResponseUrl',
  cbcAllowed: 'cbcAllowed',
  clockSkewSeconds: 'clockSkewSeconds',
}
