import { fallbackLanguage } from '#contract/languages.ts'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import type { directorySetups, openDirectorySetups } from '#contract/saml-setups/directory-setups.ts'
import { setupTokenDays } from '#contract/scim/scim.ts'
import { listHolders } from '#server/accounts/holders.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { toNetwork } from '#server/platform/limits/address.ts'
import type { Outbox } from '#server/platform/messages/outbox.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { mailSuperUsers } from '../saml-configs/saml-configs.ts'
import { makeToken } from '../scim/scim.ts'
import { eventOf } from './open-setups.handlers.ts'
import {
  changeSetup,
  findOrganizationName,
  findSetupForUpdate,
  insertSetup,
  listDirectorySetups,
  revokeDirectorySetups,
  type Setup,
} from './saml-setups.repository.ts'
import { findByToken, inSetupHours, setupLink } from './setup-links.ts'
import { openDirectoryOf } from './show-setup.ts'

/** Links for the directory alone, for who may make its tokens. */
export const directorySetupsHandlers: Handlers<typeof directorySetups> = {
  list: async ({ db, params, now }) => {
    found(await findOrganizationName(db, params.id))
    return (await listDirectorySetups(db, params.id, now)).map(({ createdAt, expiresAt, ...setup }) => ({
      ...setup,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }))
  },
  create: async (context) => {
    const { db, params, now, audit } = context
    const { id: organizationId } = params
    const label = found(await findOrganizationName(db, organizationId))
    const setupId = newId()
    const expiresAt = inSetupHours(now)
    // Nobody has to remember how many links are under way.
    await revokeDirectorySetups(db, organizationId)
    await insertSetup(db, { setupId, organizationId, createdAt: now, expiresAt, signIn: false, directory: true })
    const after = { expiresAt, directory: true }
    audit({ name: 'createSamlSetup', target: { id: organizationId, label }, organizationIds: [organizationId], after })
    return { setupId, url: setupLink(context, setupId), expiresAt: expiresAt.toISOString() }
  },
  revoke: async ({ db, params, audit }) => {
    const setup = found(await findSetupForUpdate(db, params.setupId))
    const { setupId, organizationId, directory, signIn, state } = setup
    if (organizationId !== params.id || !directory || state === 'revoked') throw new Problem(404, 'notFound')
    await changeSetup(db, setupId, signIn ? { directory: false } : { state: 'revoked' })
    audit({ ...eventOf(setup, 'revokeSamlSetup'), before: { directory } })
    return undefined
  },
}

/** What someone with a link for the directory can do. Nobody is signed in. */
export const openDirectorySetupsHandlers: Handlers<typeof openDirectorySetups> = {
  read: async (context) => openDirectoryOf(await findForDirectory(context), context),
  createToken: async (context) => {
    const { db, now, input, audit, outbox, ip } = context
    const setup = await findForDirectory(context, { lock: true })
    const { setupId, organizationId } = setup
    const { name } = input
    const { token, event } = await makeToken(db, now, { organizationId, name, days: setupTokenDays, setupId })
    audit({ ...event, actor: actorOf(setup), after: { ...event.after, address: toNetwork(ip) } })
    await tell(db, outbox, setup)
    return { made: token, directory: await openDirectoryOf(setup, context) }
  },
}

type Context = Pick<RequestContext<typeof openDirectorySetups.read>, 'db' | 'keys' | 'now' | 'input'>

/** @throws Problem 404 `setupLinkInvalid` also for a link that was made for the sign-in alone */
async function findForDirectory(context: Context, options?: { lock: boolean }): Promise<Setup> {
  const setup = await findByToken(context, context.input.token, options)
  if (!setup.directory) throw new Problem(404, 'setupLinkInvalid')
  return setup
}

/** An organisation acts by the link that its IT has, as it does by its directory. */
const actorOf = ({ organizationId }: Setup) => ({
  id: organizationId,
  label: '/saml-setup (SCIM)',
  organizationIds: [organizationId],
})

/** The operator and the admins learn of each token that was not made by one of them. */
async function tell(db: Db, outbox: Outbox, { organizationId, organizationName: name }: Setup): Promise<void> {
  const values = { what: 'directory', name, path: `/organization-directory/${organizationId}` } as const
  await mailSuperUsers(db, outbox, 'sign-in-to-check', values)
  for (const { accountId, email, firstName, preferredLanguage } of await listHolders(
    db,
    organizationId,
    rolePermissions,
  ))
    await outbox.mail(
      db,
      mailMessage({
        template: 'sign-in-to-check',
        to: { address: email, accountId },
        language: preferredLanguage ?? fallbackLanguage,
        organizationId,
        values: { ...values, firstName },
      }),
    )
}
