import { fallbackLanguage } from '#contract/languages.ts'
import { rolePermissions } from '#contract/organization-roles/role-permissions.ts'
import type { directorySetups, openDirectorySetups } from '#contract/saml-setups/directory-setups.ts'
import { setupTokenDays } from '#contract/scim/scim.ts'
import { listHolders } from '#server/accounts/holders.repository.ts'
import { mailMessage } from '#server/mails/mails.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { newId } from '#server/platform/ids.ts'
import { toNetwork } from '#server/platform/limits/address.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { mailSuperUsers } from '../saml-configs/saml-configs.ts'
import { lockOrganization, makeToken } from '../scim/scim.ts'
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
import { connectsDirectory, directoryUntil, findByToken, inSetupHours, setupLink } from './setup-links.ts'
import { withMail } from './setup-mails.ts'
import { openDirectoryOf } from './show-setup.ts'

/** Links for the directory alone, for who may make its tokens. */
export const directorySetupsHandlers: Handlers<typeof directorySetups> = {
  list: async ({ db, params, now }) => {
    found(await findOrganizationName(db, params.id))
    return (await listDirectorySetups(db, params.id, now)).map((setup) => ({
      ...setup,
      createdAt: setup.createdAt.toISOString(),
      expiresAt: directoryUntil(setup).toISOString(),
    }))
  },
  create: async (context) => {
    const { db, params, now, limits, transact } = context
    await limits.take(db, [{ name: 'setupMade', key: params.id }], now)
    return transact((db, audit) => create({ ...context, db }, audit))
  },
  revoke: async ({ db, params, audit }) => {
    const setup = found(await findSetupForUpdate(db, params.setupId))
    const { organizationId, directory, state } = setup
    if (organizationId !== params.id || !directory || state === 'revoked') throw new Problem(404, 'notFound')
    return endDirectory({ db, audit }, setup)
  },
}

async function create(context: Create, audit: Create['audit']) {
  const { db, params, now, actor } = context
  const { id: organizationId } = params
  // One at a time: otherwise two would be alive.
  const { name: label } = found(await lockOrganization(db, organizationId))
  const of = { target: { id: organizationId, label }, organizationIds: [organizationId] }
  const setupId = newId()
  const expiresAt = inSetupHours(now)
  // Nobody has to remember how many links are under way.
  for (const ended of await revokeDirectorySetups(db, organizationId, now))
    audit({ name: 'revokeSamlSetup', ...of, before: { directory: true }, after: ended })
  const row = { setupId, organizationId, createdAt: now, expiresAt, signIn: false, directory: true }
  await insertSetup(db, { ...row, madeBy: actor.accountId })
  audit({ name: 'createSamlSetup', ...of, after: { setupId, expiresAt, directory: true } })
  return { setupId, url: setupLink(context, setupId), expiresAt: expiresAt.toISOString() }
}

/** Ends what a link may do about the directory; the rest of it stays. */
export async function endDirectory({ db, audit }: Pick<Create, 'db' | 'audit'>, setup: Setup): Promise<undefined> {
  const { setupId, signIn, directory } = setup
  await changeSetup(db, setupId, signIn ? { directory: false } : { state: 'revoked' })
  audit({ ...eventOf(setup, 'revokeSamlSetup'), before: { directory }, after: { setupId } })
}

/** What someone with a link for the directory can do. Nobody is signed in. */
export const openDirectorySetupsHandlers: Handlers<typeof openDirectorySetups> = {
  read: async (context) => {
    const setup = await findForDirectory(context)
    await context.limits.take(context.db, [{ name: 'setupPoll', key: setup.setupId }], context.now)
    return openDirectoryOf(setup, context)
  },
  createToken: async (context) => {
    const of = await findForDirectory(context)
    const { result } = await withAttemptLimit(context, [{ name: 'setupToken', key: of.setupId }], () =>
      withMail(context, of, 'directory', (mails) =>
        context.transact((db, audit) => createToken({ ...context, db }, audit, mails)),
      ),
    )
    return result
  },
}

async function createToken(context: CreateToken, audit: CreateToken['audit'], mails: boolean) {
  const { db, now, input, ip } = context
  const setup = await findForDirectory(context, { lock: true })
  const { setupId, organizationId, madeBy, makerOperates } = setup
  const { name } = input
  const { token, event } = await makeToken(db, now, {
    ...{ organizationId, name, days: setupTokenDays, setupId },
    ...{ createdBy: madeBy, byOperator: makerOperates },
  })
  audit({ ...event, actor: actorOf(setup), after: { ...event.after, address: toNetwork(ip) } })
  if (mails) await tell(context, setup)
  return { made: token, directory: await openDirectoryOf(setup, context) }
}

type CreateToken = RequestContext<typeof openDirectorySetups.createToken>
type Create = RequestContext<typeof directorySetups.create>
type Context = Pick<RequestContext<typeof openDirectorySetups.read>, 'db' | 'keys' | 'now' | 'input'>

/** @throws Problem 404 `setupLinkInvalid` also for a link that was made for the sign-in alone */
async function findForDirectory(context: Context, options?: { lock: boolean }): Promise<Setup> {
  const setup = await findByToken(context, context.input.token, options)
  if (!connectsDirectory(setup, context.now)) throw new Problem(404, 'setupLinkInvalid')
  return setup
}

/** An organisation acts by the link that its IT has. No directory is called so: all of their labels end with `(SCIM)`. */
const actorOf = ({ organizationId }: Setup) => ({
  id: organizationId,
  label: '/saml-setup',
  organizationIds: [organizationId],
})

/** The operator and the admins learn of each token that was not made by one of them. */
async function tell(
  { db, outbox }: Pick<CreateToken, 'db' | 'outbox'>,
  { organizationId, organizationName: name }: Setup,
): Promise<void> {
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
