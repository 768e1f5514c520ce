import * as z from 'zod/mini'
import { id, requiredText, timestamp, version } from '#contract/fields/fields.ts'
import type { FieldLabels } from '#contract/message-key.ts'
import { route } from '#contract/route.ts'
import { certificateState } from '#contract/saml-configs/saml-certificates.ts'
import { samlConfig, samlConfigForm, samlConfigKind } from '#contract/saml-configs/saml-configs.ts'
import { metadataChoice, metadataWarning } from '#contract/saml-configs/saml-metadata.ts'
import { serviceProvider } from '#contract/saml-configs/saml-reservations.ts'
import { samlTestResult } from '#contract/saml-configs/saml-tests.ts'
import { scimToken } from '#contract/scim/scim.ts'

/** How long a link works, from its creation or from the last rejection. */
export const setupHours = 72

/** `open`: the draft is not handed in yet, or was sent back. */
export const setupState = z.enum(['open', 'handedIn', 'approved', 'revoked'])

/** What the metadata of the identity provider said. */
export const samlDraft = z.extend(
  z.pick(samlConfigForm, {
    entityId: true,
    url: true,
    postRequests: true,
    logoutUrl: true,
    logoutResponseUrl: true,
    postLogout: true,
    certificate: true,
    requestSigningEnabled: true,
  }),
  { warnings: z.array(metadataWarning) },
)

/** What is told of a draft. One of OpenID Connect has its issuer as `url`, and no entity ID and no certificate. */
const setupDraft = z.object({
  ...samlDraft.shape,
  entityId: z.nullable(z.string()),
  certificate: z.string(),
  kind: samlConfigKind,
  clientId: z.nullable(z.string()),
  /** The portal proves who it is by its key; otherwise by a secret, which was given then. */
  clientKey: z.boolean(),
  clientSecretSetAt: z.nullable(timestamp),
})
export type SetupDraft = z.infer<typeof setupDraft>

/** A test sign-in with the draft, without what the identity provider sent. */
const tested = z.pick(samlTestResult, { at: true, passed: true, checks: true })
export type SetupTest = z.infer<typeof tested>

const setup = {
  organizationName: z.string(),
  state: setupState,
  expiresAt: timestamp,
  handedInAt: z.nullable(timestamp),
  /** The link makes tokens for the directory, too. */
  directory: z.boolean(),
}
const details = {
  ...setup,
  draft: z.nullable(z.object({ ...setupDraft.shape, certificates: z.array(certificateState) })),
  tested: z.nullable(tested),
  /** Why the last draft was sent back. */
  rejection: z.nullable(z.string()),
  version,
}

/** A link, for super users. */
export const setupSummary = z.object({ ...setup, setupId: id, organizationId: id, createdAt: timestamp })
export type SetupSummary = z.infer<typeof setupSummary>

export const setupDetails = z.object({
  ...details,
  setupId: id,
  organizationId: id,
  /** Configurations that have the entity ID of the draft already. */
  sameIssuer: z.array(z.object({ id: z.int(), name: z.string() })),
})
export type SetupDetails = z.infer<typeof setupDetails>

/** What someone with a link for the directory sees of it: what the link itself has made. */
export const openDirectory = z.object({
  /** What the directory calls. */
  address: z.string(),
  tokens: z.array(z.omit(scimToken, { tokenId: true, madeBy: true, byOperator: true, byLink: true, stands: true })),
  /** The organisation has as many tokens as it may have. */
  full: z.boolean(),
})
export type OpenDirectory = z.infer<typeof openDirectory>

/** What someone with the link sees: nothing of the organisation but its name. */
export const openSetup = z.object({
  ...details,
  /** Otherwise the link is for the directory alone. */
  signIn: z.boolean(),
  directory: z.nullable(openDirectory),
  /** None of a link for the directory alone. */
  serviceProvider: z.nullable(serviceProvider),
  /** What the identity provider sent in the test whose ticket was given. */
  received: samlTestResult.shape.received,
  /** Metadata of several identity providers was given: the draft is as it was until one of them is named. */
  choices: z.array(metadataChoice),
})
export type OpenSetup = z.infer<typeof openSetup>

/** What the IT cannot decide: super users name the configuration and the mail domain that is sent to it. */
export const setupApproval = z.pick(samlConfigForm, { name: true, domain: true, active: true })
export type SetupApproval = z.infer<typeof setupApproval>
export const setupApprovalLabels: FieldLabels<SetupApproval> = {
  name: 'name',
  domain: 'domain',
  active: 'samlConfigActive',
}

const maxReason = 1000
export const setupRejection = z.strictObject({ reason: requiredText(maxReason) })
export const setupRejectionLabels: FieldLabels<z.infer<typeof setupRejection>> = { reason: 'setupRejectReason' }

const params = z.strictObject({ id })

/** Links for the IT of an organisation, made and decided on by super users. */
export const samlSetups = {
  list: route('GET /api/saml-setups', {
    summary: 'Links for a sign-in: those that still do something and drafts that were not decided on, the newest first',
    access: 'manageSamlConfigs',
    answer: z.array(setupSummary),
  }),
  create: route('POST /api/saml-setups', {
    summary: `Makes a link for the IT of an organisation, which works for ${setupHours} hours; only this answer has it`,
    access: 'manageSamlConfigs',
    freshProof: true,
    input: z.strictObject({
      organizationId: id,
      /** The IT may connect the directory of the organisation, too. */
      directory: z._default(z.optional(z.boolean()), false),
    }),
    answer: z.object({ setupId: id, url: z.string(), expiresAt: timestamp }),
    status: 201,
    audit: 'createSamlSetup',
  }),
  read: route('GET /api/saml-setups/{id}', {
    summary: 'A link, with the draft that was handed in',
    access: 'manageSamlConfigs',
    params,
    answer: setupDetails,
  }),
  revoke: route('POST /api/saml-setups/{id}/revoke', {
    summary: 'Ends a link and drops its draft; of an approved one, what it may do about the directory',
    access: 'manageSamlConfigs',
    params,
    answer: 'nothing',
    audit: 'revokeSamlSetup',
  }),
  approve: route('POST /api/saml-setups/{id}/approve', {
    summary:
      'Makes a handed-in draft a configuration; 409 if the draft has changed, or was not tested and is to be active',
    access: 'manageSamlConfigs',
    freshProof: true,
    params,
    input: z.extend(z.strictObject(setupApproval.shape), {
      version,
      /** Another configuration has the entity ID, and that is right. */
      sameIssuer: z._default(z.optional(z.boolean()), false),
    }),
    answer: samlConfig,
    audit: { one: 'createSamlConfig', andFollowing: 'approveSamlSetup' },
  }),
  reject: route('POST /api/saml-setups/{id}/reject', {
    summary: `Sends a handed-in draft back with a reason; the link works for another ${setupHours} hours`,
    access: 'manageSamlConfigs',
    params,
    input: z.extend(setupRejection, { version }),
    answer: 'nothing',
    audit: 'rejectSamlSetup',
  }),
}
