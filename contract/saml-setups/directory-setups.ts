import * as z from 'zod/mini'
import { id, timestamp } from '#contract/fields/fields.ts'
import { token } from '#contract/invitations/accept-form.ts'
import { route } from '#contract/route.ts'
import { scimTokenForm } from '#contract/scim/scim.ts'
import { openDirectory, setupHours } from './saml-setups.ts'

/** A link by which the IT of an organisation connects its directory. */
const directorySetup = z.object({
  setupId: id,
  createdAt: timestamp,
  expiresAt: timestamp,
  /** A super user made it for the sign-in, too. */
  signIn: z.boolean(),
  /** The address of an admin of the organisation; null: somebody else, such as who operates the portal. */
  madeBy: z.nullable(z.string()),
})
export type DirectorySetup = z.infer<typeof directorySetup>

const params = z.strictObject({ id })
const ofOrganization = {
  access: 'administerOrganization',
  target: ({ params }: { params: { id: string } }) => ({ organizationId: params.id }),
} as const

/** Links for the directory alone, made by who may make its tokens. */
export const directorySetups = {
  list: route('GET /api/organizations/{id}/directory/setup-links', {
    ...ofOrganization,
    summary: 'The links that make tokens for the directory of an organisation, the newest first',
    params,
    answer: z.array(directorySetup),
  }),
  create: route('POST /api/organizations/{id}/directory/setup-links', {
    ...ofOrganization,
    summary: `Makes a link for the directory alone, which works for ${setupHours} hours and ends the one before; only this answer has it`,
    params,
    input: z.strictObject({}),
    answer: z.object({ setupId: id, url: z.string(), expiresAt: timestamp }),
    status: 201,
    freshProof: true,
    audit: { one: 'createSamlSetup', andFollowing: 'revokeSamlSetup' },
    atomic: false,
  }),
  revoke: route('DELETE /api/organizations/{id}/directory/setup-links/{setupId}', {
    ...ofOrganization,
    summary: 'Ends what a link may do about the directory; one that is for the sign-in, too, stays for that',
    params: z.strictObject({ id, setupId: id }),
    answer: 'nothing',
    audit: 'revokeSamlSetup',
  }),
}

/** What someone with a link for the directory can do, without an account. */
export const openDirectorySetups = {
  read: route('POST /api/saml-setup/directory', {
    summary: 'The directory as the link may see it: whether it has called',
    access: 'public',
    session: false,
    input: z.strictObject({ token }),
    answer: openDirectory,
    limit: 'samlSetup',
    // The page asks every few seconds.
    limitCounts: 'failures',
    audit: 'none',
    atomic: false,
  }),
  createToken: route('POST /api/saml-setup/directory/tokens', {
    summary: 'Makes a token for the directory; only this answer has it. 409 tooManyScimTokens as for admins',
    access: 'public',
    session: false,
    input: z.extend(z.pick(scimTokenForm, { name: true }), { token }),
    answer: z.object({ made: z.string(), directory: openDirectory }),
    status: 201,
    limit: 'samlSetup',
    audit: 'createScimToken',
    atomic: false,
  }),
}
