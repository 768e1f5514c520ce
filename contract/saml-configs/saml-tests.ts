import * as z from 'zod/mini'
import { text, timestamp } from '#contract/fields/fields.ts'
import { route } from '#contract/route.ts'
import { preparedOrganization } from './saml-config-state.ts'
import { samlConfigForm, samlConfigId, samlConfigKind, samlConfigParams } from './saml-configs.ts'
import { samlFailures } from './saml-sign-ins.ts'

/** What a test sign-in looks at, in this order. Encryption only of an encrypted assertion; OpenID Connect has no certificate and no destination. */
export const samlTestChecks = [
  'certificate',
  'answer',
  'encryption',
  'signature',
  'issuer',
  'destination',
  'request',
  'audience',
  'time',
  'attributes',
  'person',
] as const
export type SamlTestCheck = (typeof samlTestChecks)[number]

export const samlTestResult = z.object({
  at: timestamp,
  kind: samlConfigKind,
  /** Of the configuration, as it was tested. */
  name: z.string(),
  /** Nothing failed. A person whom the portal does not know yet, or an expired certificate, is a warning. */
  passed: z.boolean(),
  checks: z.array(
    z.object({
      check: z.enum(samlTestChecks),
      status: z.enum(['passed', 'warning', 'failed', 'notChecked']),
      failure: z.nullable(z.enum(samlFailures)),
      /** The reason for the log, in English. */
      detail: z.nullable(z.string()),
    }),
  ),
  /** What the identity provider signed; null if the signature was not right. Personal numbers are masked. */
  received: z.nullable(
    z.object({
      issuer: z.string(),
      nameId: z.nullable(z.string()),
      attributes: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
    }),
  ),
  /** Whether the configuration is on, and has the values that were tested. */
  active: z.boolean(),
  saved: z.boolean(),
  /** Those that have the configuration. */
  organizations: z.array(preparedOrganization),
  /** The person whom a sign-in would sign in. */
  person: z.nullable(z.object({ accountId: z.uuid(), email: z.string() })),
})
export type SamlTestResult = z.infer<typeof samlTestResult>

/** A sign-in at an identity provider that signs nobody in, to try a configuration before people need it. */
export const samlTests = {
  begin: route('POST /api/saml-configs/test', {
    summary: 'Begins a test sign-in with these values, saved or not: the address to send the browser to; saves nothing',
    access: 'manageSamlConfigs',
    input: z.extend(samlConfigForm, { id: samlConfigId }),
    answer: z.object({ url: z.string() }),
    audit: 'none',
  }),
  result: route('GET /api/saml-configs/{id}/test-result', {
    summary: 'What a test sign-in found, for ten minutes and for the session that began it',
    access: 'manageSamlConfigs',
    params: samlConfigParams,
    query: z.strictObject({ ticket: text(100) }),
    answer: samlTestResult,
  }),
}
