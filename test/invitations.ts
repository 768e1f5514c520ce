import type { LoginMethod } from '#contract/roles.ts'
import { shownLink } from '#server/features/invitations/invitation-tokens.ts'
import { messageCell, type SealedMessage } from '#server/platform/messages/outbox.ts'
import { unseal } from '#server/platform/secrets/sealing.ts'
import type { Client } from './client.ts'
import { chosenPassword } from './people.ts'
import type { TestApp } from './test-app.ts'

// As many digits for all: lists sort what was made later after what was made before.
let counter = 100_000
/** An unused address. */
export const newEmail = () => `invited${++counter}@nordvik.example`

/** The token in an invitation's link. */
export const tokenIn = (link: unknown) => String(link).split('/accept-invitation/')[1] ?? ''

/** The calls about the invitation of an address to an organisation. */
export const invitePath = (email: string, organizationId: string, what = 'organization') =>
  `/api/invites/${encodeURIComponent(email)}/user/${organizationId}/${what}`

/** Sends an invitation as this browser's person. */
export const invite = (browser: Client, organizationId: string, email: string, more: object = {}) =>
  browser.post('/api/invites', { email, organizationId, ...more })

/** Common steps of tests about invitations. */
export function invitationsOf(portal: TestApp) {
  const { db, keys } = portal.system

  /** A new organisation, and a browser with its admin signed in. */
  async function organizationWithAdmin(loginMethod: LoginMethod = 'local') {
    const organization = await portal.organization(undefined, loginMethod)
    const admin = await portal.person({ firstName: 'Ada', lastName: 'Admin' })
    await portal.join(admin.accountId, organization.organizationId, 'organizationAdmin')
    return { ...organization, admin, browser: await portal.signedIn(admin) }
  }

  /** The mails to an address, newest first, with the values of their templates. */
  async function mailsTo(email: string) {
    const rows = await db
      .selectFrom('outboxMessages')
      .selectAll()
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .execute()
    return Promise.all(
      rows.map(async ({ id, template, language, state, sealed }) => {
        if (sealed.length === 0) return { id, template, language, state, values: {} }
        const content = await unseal(keys, messageCell(id), sealed)
        return { id, template, language, state, values: (JSON.parse(content.toString('utf8')) as SealedMessage).values }
      }),
    )
  }

  const accept = (email: string, token: string, more: object = {}) =>
    portal.browser().post('/api/invites/accept', {
      email,
      token,
      firstName: 'Nina',
      lastName: 'Ny',
      loginMethod: 'local',
      password: chosenPassword,
      confirmNewPassword: chosenPassword,
      ...more,
    })

  return {
    organizationWithAdmin,
    mailsTo,
    mailedToken: async (email: string) => tokenIn((await mailsTo(email))[0]?.values.link),
    find: (token: string) => portal.browser().get(`/api/invites?token=${encodeURIComponent(token)}`),
    accept,
    acceptWithSsn: (email: string, token: string, loginMethod: LoginMethod, ssn: string) =>
      accept(email, token, { loginMethod, ssn, password: undefined, confirmNewPassword: undefined }),
    /** The token of the link that an admin sees. */
    shownToken: async (browser: Client, email: string, organizationId: string) =>
      tokenIn((await browser.get(invitePath(email, organizationId))).json().url),
    /** That of a link that the portal does not show to this reader. */
    hiddenToken: async (email: string, { accountId }: { accountId: string }) => {
      const columns = ['invitationId', 'tokenVersion'] as const
      const query = db.selectFrom('invitations').select(columns).where('email', '=', email)
      return tokenIn(shownLink(portal.system, await query.executeTakeFirstOrThrow(), accountId))
    },
    invitationOf: (email: string) =>
      db.selectFrom('invitations').selectAll().where('email', '=', email).executeTakeFirst(),
    userOf: (email: string) => db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst(),
    /** Audit events about an address, without sign-ins. */
    eventsOf: (email: string) =>
      db
        .selectFrom('auditEvents')
        .select(['name', 'actor', 'changes', 'organizationIds'])
        .where('target', '=', email)
        .where('name', '<>', 'loginSuccess')
        .orderBy('id')
        .execute(),
  }
}
