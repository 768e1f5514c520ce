import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Client } from './client.ts'
import { invitationsOf, invite, invitePath, newEmail } from './invitations.ts'
import { outboxOf } from './outbox.ts'
import { chosenPassword, type Person, testPassword } from './people.ts'
import { type TestApp, testApp } from './test-app.ts'

// Every change of credentials and accounts records one audit event, in the same transaction.

let portal: TestApp
let owner: pg.Client
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp()
  invites = invitationsOf(portal)
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  await owner.query(`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'refused by the test' using errcode = '57014'; end $$`)
})
afterAll(async () => {
  await owner?.end()
  await portal?.close()
})

// Test numbers of the tax agency, which belong to no real person.
const [ssn, otherSsn] = ['191212121212', '199908072391']
const phoneNumber = '+46701740605'
const freshPassword = 'Green-otter-43-lamp'

interface Deed {
  send: () => Promise<{ statusCode: number }>
  /** The one expected event. Its actor: an address, or none. */
  event: { name: string; actor: string | null; target: string; organizationIds: string[]; changes: object[] }
  /** The one expected mail, if any. */
  mail?: { template: string; to: string }
}

const changed = (property: string, previousValue: string | null, newValue: string | null) => ({
  property,
  previousValue,
  newValue,
})

interface Scene {
  admin: Person
  /** The admin's browser. */
  browser: Client
  organizationId: string
  organization: string
  /** A member whose browser is `own`. */
  person: Person
  own: Client
}

async function scene(): Promise<Scene> {
  const { organizationId, name, admin, browser } = await invites.organizationWithAdmin()
  const person = await portal.person({ firstName: 'Åsa', lastName: 'Öst', phoneNumber: '+46701740699' })
  await portal.join(person.accountId, organizationId)
  return { admin, browser, organizationId, organization: name, person, own: await portal.signedIn(person) }
}

async function invited({ browser, organizationId }: Scene) {
  const email = newEmail()
  await invite(browser, organizationId, email)
  return { email, token: await invites.mailedToken(email) }
}

interface Accepted {
  email: string
  here: Scene
  loginMethod: string
  pending: string
  ssn?: string
}
const accepted = ({ email, here, loginMethod, pending, ssn }: Accepted) => ({
  name: 'acceptInvite',
  actor: email,
  target: email,
  organizationIds: [here.organizationId],
  changes: [
    changed('firstName', null, 'Nina'),
    changed('lastName', null, 'Ny'),
    changed('preferredLanguage', null, 'sv'),
    ...(ssn ? [changed('ssn', null, ssn)] : []),
    changed('loginMethod', null, loginMethod),
    changed('emailProof', null, 'mailedLink'),
    changed('pending', null, pending),
    changed('organization', null, here.organization),
    changed('userRole', null, 'regular'),
  ],
})

/** A person with an account whom the organisation invites. */
async function invitedOwner({ browser, organizationId }: Scene) {
  const owner = await portal.person({ email: newEmail() })
  await invite(browser, organizationId, owner.email)
  const { invitationId } = (await invites.invitationOf(owner.email)) ?? {}
  return { owner, own: await portal.signedIn(owner), path: `/api/invites/${invitationId}` }
}

const deeds: Record<string, (scene: Scene) => Promise<Deed>> = {
  'a person changes name, personal number, phone number and language': async ({ own, person, organizationId }) => ({
    send: () =>
      own.put('/api/profile', {
        firstName: 'Ärla',
        ssn,
        phoneNumber,
        preferredLanguage: 'fi',
        currentPassword: testPassword,
      }),
    event: {
      name: 'updateUser',
      actor: person.email,
      target: person.email,
      organizationIds: [organizationId],
      changes: [
        changed('firstName', 'Åsa', 'Ärla'),
        changed('ssn', null, '19121212-****'),
        changed('phoneNumber', '+46*****99', '+46*****05'),
        changed('preferredLanguage', null, 'fi'),
      ],
    },
    mail: { template: 'contact-changed', to: person.email },
  }),
  'an admin changes the same of another person': async ({ browser, admin, person, organizationId }) => ({
    send: () => browser.put('/api/users', { accountId: person.accountId, ssn: otherSsn, phoneNumber: null }),
    event: {
      name: 'updateUser',
      actor: admin.email,
      target: person.email,
      organizationIds: [organizationId],
      changes: [
        changed('phoneNumber', '+46*****99', null),
        changed('emailProof', 'mailedLink', null),
        changed('ssn', null, '19990807-****'),
      ],
    },
    mail: { template: 'contact-changed', to: person.email },
  }),
  'a person changes the password': async ({ own, person, organizationId }) => ({
    send: () =>
      own.put('/api/profile/password', {
        oldPassword: testPassword,
        newPassword: freshPassword,
        confirmNewPassword: freshPassword,
      }),
    event: {
      name: 'changePassword',
      actor: person.email,
      target: person.email,
      organizationIds: [organizationId],
      changes: [],
    },
    mail: { template: 'password-changed', to: person.email },
  }),
  'a person requests a password reset link': async ({ person, organizationId }) => ({
    send: () => portal.browser().post('/api/initiate-password-reset', { email: person.email }),
    event: {
      name: 'requestPasswordReset',
      actor: null,
      target: person.email,
      organizationIds: [organizationId],
      changes: [],
    },
    mail: { template: 'reset-password', to: person.email },
  }),
  'an admin requests a password reset link for a person': async ({ browser, admin, person, organizationId }) => ({
    send: () => browser.post('/api/initiate-password-reset', { email: person.email, tokenLifeTimeInHours: 10 }),
    event: {
      name: 'requestPasswordReset',
      actor: admin.email,
      target: person.email,
      organizationIds: [organizationId],
      changes: [],
    },
    mail: { template: 'reset-password', to: person.email },
  }),
  'a person chooses a password by the link': async ({ person, organizationId }) => {
    await portal.browser().post('/api/initiate-password-reset', { email: person.email })
    const link = String((await outboxOf(portal).messagesTo(person.email))[0]?.values.link)
    return {
      send: () =>
        portal.browser().post('/api/reset-password', {
          email: person.email,
          token: link.split('/').at(-1),
          newPassword: freshPassword,
          confirmNewPassword: freshPassword,
        }),
      event: {
        name: 'resetPassword',
        actor: person.email,
        target: person.email,
        organizationIds: [organizationId],
        changes: [],
      },
      mail: { template: 'password-changed', to: person.email },
    }
  },
  'an admin invites a person': async ({ browser, admin, organizationId, organization }) => {
    const email = newEmail()
    return {
      send: () => invite(browser, organizationId, email, { message: 'Välkommen!' }),
      event: {
        name: 'inviteUser',
        actor: admin.email,
        target: email,
        organizationIds: [organizationId],
        changes: [
          changed('organization', null, organization),
          changed('userRole', null, 'regular'),
          changed('message', null, 'Välkommen!'),
        ],
      },
      mail: { template: 'user-invite', to: email },
    }
  },
  'an admin sends an invitation again': async (here) => {
    const { browser, admin, organizationId, organization } = here
    const { email } = await invited(here)
    portal.advance(300)
    return {
      send: () => browser.post('/api/invites/resend-invite', { email, organizationId }),
      event: {
        name: 'inviteUser',
        actor: admin.email,
        target: email,
        organizationIds: [organizationId],
        changes: [
          changed('organization', null, organization),
          changed('expiresAt', null, new Date(portal.now().getTime() + 7 * 24 * 3600_000).toISOString()),
        ],
      },
      mail: { template: 'user-invite', to: email },
    }
  },
  'an admin reads the link of an invitation': async (here) => {
    const { browser, admin, organizationId } = here
    const { email } = await invited(here)
    return {
      send: () => browser.get(invitePath(email, organizationId)),
      event: {
        name: 'readInviteLink',
        actor: admin.email,
        target: email,
        organizationIds: [organizationId],
        changes: [],
      },
    }
  },
  'a person with an account joins': async (here) => {
    const { owner, own, path } = await invitedOwner(here)
    return {
      send: () => own.post(`${path}/join`, {}),
      event: {
        name: 'joinOrganization',
        actor: owner.email,
        target: owner.email,
        organizationIds: [here.organizationId],
        changes: [changed('organization', null, here.organization), changed('userRole', null, 'regular')],
      },
    }
  },
  'a person with an account declines': async (here) => {
    const { owner, own, path } = await invitedOwner(here)
    return {
      send: () => own.post(`${path}/decline`, {}),
      event: {
        name: 'declineInvite',
        actor: owner.email,
        target: owner.email,
        organizationIds: [here.organizationId],
        changes: [changed('organization', here.organization, null)],
      },
    }
  },
  'a person accepts with a password': async (here) => {
    const { email, token } = await invited(here)
    return {
      send: () => invites.accept(email, token),
      event: accepted({ email, here, loginMethod: 'local', pending: 'false' }),
    }
  },
  'a person accepts with a personal number': async (here) => {
    await portal.system.db
      .updateTable('organizations')
      .set({ loginMethod: 'bankid' })
      .where('organizationId', '=', here.organizationId)
      .execute()
    const { email, token } = await invited(here)
    return {
      send: () => invites.acceptWithSsn(email, token, 'bankid', '201701102384'),
      event: accepted({ email, here, loginMethod: 'bankid', pending: 'true', ssn: '20170110-****' }),
    }
  },
}

/** All data that such a change may touch, without columns that change by themselves. */
async function everything(): Promise<unknown> {
  const { rows } = await owner.query(`select
    (select jsonb_agg(to_jsonb(u) - 'last_active' order by account_id) from users u) as users,
    (select jsonb_agg(i order by invitation_id) from invitations i) as invitations,
    (select jsonb_agg(m order by account_id, organization_id) from memberships m) as memberships,
    (select jsonb_agg(t order by purpose, token_hash) from one_time_things t) as things,
    (select jsonb_agg(o order by id) from outbox_messages o) as outbox,
    (select jsonb_agg(encode(id_hash, 'hex') order by id_hash) from sessions) as sessions,
    (select count(*) from audit_events) as events`)
  return rows[0]
}

const lastEvent = async () =>
  (
    await owner.query(
      `select name, actor, target, organization_ids, changes, (select count(*)::int from audit_events) as count
        from audit_events order by id desc limit 1`,
    )
  ).rows[0]
const lastMail = async () =>
  (await owner.query('select id, template, recipient from outbox_messages order by id desc limit 1')).rows[0]

describe.each(Object.entries(deeds))('%s', (_, prepare) => {
  test('records its event with masked values, or changes nothing', async () => {
    const { send, event, mail } = await prepare(await scene())
    const before = await everything()
    await owner.query('create trigger refused before insert on audit_events for each row execute function refuse()')
    const refused = await send().finally(() => owner.query('drop trigger refused on audit_events'))
    expect(refused.statusCode).toBe(503)
    expect(await everything()).toEqual(before)

    const [eventBefore, mailBefore] = [await lastEvent(), await lastMail()]
    const done = await send()
    expect(done.statusCode).toBeLessThan(300)
    const { count, organization_ids, ...left } = await lastEvent()
    expect({ ...left, organizationIds: organization_ids }).toEqual(event)
    expect(count).toBe((eventBefore?.count ?? 0) + 1)
    const sent = await lastMail()
    if (mail) expect(sent).toMatchObject({ template: mail.template, recipient: mail.to })
    else expect(sent).toEqual(mailBefore)
    const told = JSON.stringify(left)
    for (const secret of [ssn, otherSsn, '201701102384', phoneNumber, testPassword, freshPassword, chosenPassword])
      expect(told).not.toContain(secret)
  })
})
