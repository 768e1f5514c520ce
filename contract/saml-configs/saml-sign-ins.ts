import * as z from 'zod/mini'
import { text, timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { samlConfigParams } from './saml-configs.ts'

/** What a sign-in at an organisation's identity provider failed at. */
export const samlFailures = [
  // The identity provider's answer itself.
  'malformed',
  'declined',
  // What the identity provider said about it, in its second status code.
  'authnFailed',
  'noAuthnContext',
  'nameIdPolicy',
  'requestDenied',
  'encrypted',
  'signature',
  'issuer',
  'destination',
  'audience',
  'otherRequest',
  'clock',
  'sessionOver',
  'notReauthenticated',
  'authnContext',
  'replayed',
  // An OpenID Provider that did not answer the portal, or refused the portal's client.
  'unreachable',
  'clientRefused',
  // When and where it came.
  'unsolicited',
  'late',
  'otherBrowser',
  // The person whom it names, or the configuration.
  'attributes',
  'unknownPerson',
  'notAllowed',
  'tooManyCreated',
  'passive',
  'switchedOff',
] as const
export type SamlFailure = (typeof samlFailures)[number]

/** One answer of an identity provider. */
export const samlSignIn = z.object({
  id: z.uuid(),
  at: timestamp,
  /** As the answer names the person, or as the person typed it. Null where neither is known. */
  email: z.nullable(z.string()),
  /** Null: it was accepted. */
  failure: z.nullable(z.enum(samlFailures)),
  /** The account was created by it. */
  created: z.boolean(),
  /** The reason for the log, or what was ignored of an answer that was accepted; in English. */
  detail: z.nullable(z.string()),
  /** The number that the sign-in page showed. */
  reference: z.string(),
})
export type SamlSignIn = z.infer<typeof samlSignIn>

/** The most that the call returns. */
export const maxSamlSignIns = 200

export const samlSignIns = {
  list: route('GET /api/saml-configs/{id}/sign-ins', {
    summary: `The newest sign-ins by a SAML configuration: at most ${maxSamlSignIns}, as long as they are kept`,
    access: 'manageSamlConfigs',
    params: samlConfigParams,
    query: z.strictObject({
      /** A part of the e-mail address, or the beginning of the reference. */
      searchQuery: z._default(z.optional(text(200)), ''),
      failed: z.optional(z.enum(['true', 'false'])),
    }),
    answer: z.array(samlSignIn),
  }),
}
