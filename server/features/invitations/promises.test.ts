import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serviceRole } from '#test/directory-worker.ts'
import { invitationsOf, newEmail } from '#test/invitations.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

// An invitation gives what its promiser may still hand out when it is accepted, and a membership otherwise (product-rules 5.17).

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '100000/60' })
  invites = invitationsOf(portal)
})
afterAll(() => portal?.close())

const query = (text: string, values: unknown[]) => portal.system.pool.query(text, values)

/** What somebody has in an organisation. */
const has = async (email: string, organizationId: string) =>
  (
    await query(
      `select m.user_role as role,
        array(select user_role from service_assignments a where a.account_id = m.account_id) as services,
        array(select r.key from service_role_assignments h join service_roles r using (role_id) where h.account_id = m.account_id) as "serviceRoles",
        array(select g.name from group_members x join groups g using (group_id) where x.account_id = m.account_id) as groups
       from memberships m join users u using (account_id) where u.email = $1 and m.organization_id = $2`,
      [email, organizationId],
    )
  ).rows[0]
const everything = { role: 'organizationAdmin', services: ['serviceAdmin'], serviceRoles: ['editor'], groups: ['Ward'] }
const membership = { role: 'regular', services: [], serviceRoles: [], groups: [] }

let scene: Awaited<ReturnType<typeof invited>>
/** Somebody to whom an admin, who is not the only one, has promised all that an invitation can. */
async function invited() {
  const promiser = await portal.person()
  const { organizationId } = await portal.organization()
  await portal.join(promiser.accountId, organizationId, 'organizationAdmin')
  const other = await portal.person()
  await portal.join(other.accountId, organizationId, 'organizationAdmin')
  const browser = await portal.signedIn(promiser)
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const roleId = await serviceRole(portal, serviceId, 'editor')
  const { groupId } = (await browser.post('/api/groups', { organizationId, name: 'Ward' })).json()
  const email = newEmail()
  await browser.post('/api/invites', { organizationId, email })
  const id = (await invites.invitationOf(email))?.invitationId ?? ''
  const token = await invites.mailedToken(email)
  const promised = [
    await browser.post(`/api/users/${id}/organization/${organizationId}/service`, {
      userRole: 'organizationAdmin',
      services: [{ serviceId, userRole: 'serviceAdmin' }],
    }),
    await browser.post(`/api/users/${id}/organization/${organizationId}/service/${serviceId}/roles`, {
      roleIds: [roleId],
    }),
    await browser.post(`/api/groups/${groupId}/members`, { accountIds: [id] }),
  ]
  expect(promised.map(({ statusCode }) => statusCode)).toEqual([204, 204, 200])
  return { organizationId, promiser, email, id, serviceId, accept: () => invites.accept(email, token), other }
}
beforeEach(async () => {
  scene = await invited()
  portal.advance(3600)
})

const inPlace = (text: string) => () => query(text, [scene.promiser.accountId, scene.organizationId])
const waysOut: Record<string, () => Promise<unknown>> = {
  'has left the organisation': inPlace('delete from memberships where account_id = $1 and organization_id = $2'),
  'is a regular member': inPlace(
    `update memberships set user_role = 'regular' where account_id = $1 and organization_id = $2`,
  ),
  'has no account any more': async () => {
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    expect((await root.delete(`/api/users/${scene.promiser.accountId}`)).statusCode).toBe(204)
  },
  'is passive': () => query('update users set passive_at = now() where account_id = $1', [scene.promiser.accountId]),
  'is past the last day of the role': inPlace(
    `update memberships set role_until = access_day() - 1 where account_id = $1 and organization_id = $2`,
  ),
  'is past the last day of the membership': inPlace(
    `update memberships set valid_until = access_day() - 1 where account_id = $1 and organization_id = $2`,
  ),
}

describe('an invitation', () => {
  test('gives all that was promised while its promiser may', async () => {
    expect((await scene.accept()).statusCode).toBe(204)
    expect(await has(scene.email, scene.organizationId)).toEqual(everything)
  })

  test.each(Object.keys(waysOut))('gives a membership alone once its promiser %s', async (way) => {
    await waysOut[way]?.()
    expect((await scene.accept()).statusCode).toBe(204)
    expect(await has(scene.email, scene.organizationId)).toEqual(membership)
    const { rows } = await query(`select changes from audit_events where target = $1 and name = 'createUser'`, [
      scene.email,
    ])
    expect(JSON.stringify(rows)).not.toMatch(/Ward|serviceAdmin|organizationAdmin/)
  })

  test('gives each part that the promiser may still hand out', async () => {
    await inPlace(`update memberships set user_role = 'regular' where account_id = $1 and organization_id = $2`)()
    await inPlace(
      `insert into all_grants (account_id, organization_id, role_key) values ($1, $2, 'personnelAdministrator')`,
    )()
    expect((await scene.accept()).statusCode).toBe(204)
    expect(await has(scene.email, scene.organizationId)).toEqual({
      ...membership,
      services: ['regular'],
      serviceRoles: ['editor'],
    })
  })

  test('gives it again when the promiser may again, and what a present admin promises anew', async () => {
    await waysOut['is a regular member']?.()
    await inPlace(
      `update memberships set user_role = 'organizationAdmin' where account_id = $1 and organization_id = $2`,
    )()
    expect((await scene.accept()).statusCode).toBe(204)
    expect(await has(scene.email, scene.organizationId)).toEqual(everything)
  })

  test('promises no more by being sent again', async () => {
    await waysOut['is a regular member']?.()
    const browser = await portal.signedIn(scene.other)
    await browser.post('/api/invites/resend-invite', { email: scene.email, organizationId: scene.organizationId })
    expect((await invites.accept(scene.email, await invites.mailedToken(scene.email))).statusCode).toBe(204)
    expect(await has(scene.email, scene.organizationId)).toEqual(membership)
  })
})
