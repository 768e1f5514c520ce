import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { invitationsOf, invite, invitePath, newEmail, tokenIn } from '#test/invitations.ts'
import { chosenPassword } from '#test/people.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let invites: ReturnType<typeof invitationsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_TOKEN_LOOKUP: '1000/600' })
  invites = invitationsOf(portal)
})
afterAll(() => portal?.close())

describe('an invitation link', () => {
  test('says what it is for, as often as it is opened', async () => {
    const { browser, organizationId, name } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email)
    const token = await invites.mailedToken(email)
    for (let time = 1; time <= 3; time++) {
      const response = await invites.find(token)
      expect([response.statusCode, response.json()]).toEqual([
        200,
        {
          email,
          loginMethod: 'local',
          organizationName: name,
          firstName: null,
          lastName: null,
          account: 'new',
          floor: null,
        },
      ])
    }
    expect((await invites.accept(email, token)).statusCode).toBe(204)
  })

  test('that is used, expired, replaced, withdrawn or made up gets the same answer', async () => {
    const { organizationId, admin } = await invites.organizationWithAdmin()
    const [expired, used, replaced, removed] = [newEmail(), newEmail(), newEmail(), newEmail()]
    await invite(await portal.signedIn(admin), organizationId, expired)
    portal.advance(7 * 24 * 3600)
    const browser = await portal.signedIn(admin)
    for (const email of [used, replaced, removed]) await invite(browser, organizationId, email)
    const people = [expired, used, replaced, removed]
    const tokens = await Promise.all(people.map((email) => invites.mailedToken(email)))

    expect((await invites.accept(used, tokens[1] ?? '')).statusCode).toBe(204)
    portal.advance(300)
    await browser.post('/api/invites/resend-invite', { email: replaced, organizationId })
    const { invitationId } = (await invites.invitationOf(removed)) ?? {}
    await browser.delete(`/api/users/${invitationId}/organization/${organizationId}`)
    const genuine = await invites.mailedToken(replaced)
    const forged = genuine.replace(/\../, (start) => (start === '.A' ? '.B' : '.A'))
    const answers = []
    for (const token of [...tokens, forged, 'nonsense', `${'0'.repeat(32)}.${'A'.repeat(43)}`]) {
      const { statusCode, body, headers } = await invites.find(token)
      answers.push([statusCode, body.replaceAll(String(headers['x-request-id']), '')])
    }
    expect(answers[0]?.[0]).toBe(404)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    for (const [index, email] of people.entries())
      expect((await invites.accept(email, tokens[index] ?? '')).json().message).toBe('invitationInvalid')
  })

  test('is looked up 20 times in ten minutes from an address, and guesses at the form count too', async () => {
    const strict = await testApp()
    try {
      const look = () => strict.browser().get('/api/invites?token=made-up')
      for (let time = 1; time <= 20; time++) expect((await look()).statusCode).toBe(404)
      expect((await look()).statusCode).toBe(429)
      expect((await invitationsOf(strict).accept(newEmail(), 'made-up')).statusCode).toBe(429)
    } finally {
      await strict.close()
    }
  })
})

describe('a person whom two organisations invite', () => {
  test('gets a link from each: the first one used creates the account, the other joins it', async () => {
    const [one, two] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
    const email = newEmail()
    await invite(one.browser, one.organizationId, email)
    const first = await invites.mailedToken(email)
    await invite(two.browser, two.organizationId, email)
    const second = await invites.mailedToken(email)
    expect((await invites.accept(email, first)).statusCode).toBe(204)
    expect((await invites.find(second)).json()).toMatchObject({ account: 'signIn' })
    const theirs = await portal.signedIn({ accountId: '', email }, chosenPassword)
    expect((await theirs.get(`/api/organizations/${two.organizationId}`)).statusCode).toBe(404)
    expect((await theirs.post('/api/invites/join', { token: second })).statusCode).toBe(204)
    for (const { organizationId } of [one, two])
      expect((await theirs.get(`/api/organizations/${organizationId}`)).statusCode).toBe(200)
  })

  test('is safe from an admin of one who reads the link: it opens an account of that organisation alone', async () => {
    const [one, two] = [await invites.organizationWithAdmin(), await invites.organizationWithAdmin()]
    const email = newEmail()
    await invite(one.browser, one.organizationId, email)
    await invite(two.browser, two.organizationId, email)
    const shown = await invites.shownToken(one.browser, email, one.organizationId)
    expect((await invites.accept(email, shown)).statusCode).toBe(204)
    const theirs = await portal.signedIn({ accountId: '', email }, chosenPassword)
    expect((await theirs.get(`/api/organizations/${two.organizationId}`)).statusCode).toBe(404)
    expect((await theirs.get('/api/invites/mine')).json()).toEqual([])
    expect((await invites.find(await invites.mailedToken(email))).json()).toMatchObject({ account: 'new' })
  })
})

describe('the link that an admin has read', () => {
  const set = (reader: { accountId: string }, organizationId: string, change: string) =>
    portal.system.pool.query(`update memberships set ${change} where account_id = $1 and organization_id = $2`, [
      reader.accountId,
      organizationId,
    ])

  test.each([
    ['is dismissed', `user_role = 'regular'`, `user_role = 'organizationAdmin'`],
    ['has come to the last day of the role', `role_until = '2020-01-01'`, 'role_until = null'],
    ['has come to the last day of the membership', `valid_until = '2020-01-01'`, 'valid_until = null'],
  ])(
    'opens nothing once the admin %s, and something again if that ends; that of a colleague goes on',
    async (_, away, back) => {
      const { organizationId, admin: colleague } = await invites.organizationWithAdmin()
      const reader = await portal.person()
      await portal.join(reader.accountId, organizationId, 'organizationAdmin')
      const browser = await portal.signedIn(reader)
      const email = newEmail()
      await invite(browser, organizationId, email)
      const shown = await invites.shownToken(browser, email, organizationId)
      const other = await invites.shownToken(await portal.signedIn(colleague), email, organizationId)
      expect(other).not.toBe(shown)
      expect((await invites.find(shown)).statusCode).toBe(200)
      await set(reader, organizationId, away)
      expect((await invites.find(shown)).statusCode).toBe(404)
      expect((await invites.accept(email, shown)).json().message).toBe('invitationInvalid')
      await set(reader, organizationId, back)
      expect((await invites.find(shown)).statusCode).toBe(200)
      await set(reader, organizationId, away)
      expect((await invites.accept(email, other)).statusCode).toBe(204)
    },
  )

  test('opens nothing once a super user is none', async () => {
    const { browser: admin, organizationId } = await invites.organizationWithAdmin()
    // The last one stays.
    await portal.person({ superUser: true })
    const root = await portal.person({ superUser: true })
    const email = newEmail()
    await invite(admin, organizationId, email)
    const shown = await invites.shownToken(await portal.signedIn(root), email, organizationId)
    expect((await invites.find(shown)).statusCode).toBe(200)
    await portal.system.pool.query('update users set super_user = false where account_id = $1', [root.accountId])
    expect((await invites.find(shown)).statusCode).toBe(404)
  })
})

describe('an organisation that changes its login method while an invitation is open', () => {
  const change = async (organizationId: string, way: object) => {
    const root = await portal.signedIn(await portal.person({ superUser: true }))
    const { name } = (await root.get(`/api/organizations/${organizationId}`)).json()
    const response = await root.put('/api/organizations', { organizationId, name, maxPassiveDays: 180, ...way })
    expect(response.statusCode, response.body).toBe(200)
  }
  const ssn = '201701102384'

  test('makes the same link require the new method, and refuse the old one', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin('local')
    const email = newEmail()
    await invite(browser, organizationId, email)
    const token = await invites.mailedToken(email)
    await change(organizationId, { loginMethod: 'bankid' })
    expect((await invites.find(token)).json()).toMatchObject({ email, loginMethod: 'bankid' })
    expect((await invites.accept(email, token)).json().message).toBe('invitationInvalid')
    expect((await invites.acceptWithSsn(email, token, 'bankid', ssn)).statusCode).toBe(204)
    expect(await invites.userOf(email)).toMatchObject({ loginMethod: 'bankid', passwordHash: null, pending: true })
    expect((await invites.eventsOf(email)).map(({ name }) => name)).toEqual(['inviteUser', 'acceptInvite'])
  })

  test('sends invited people to the new SAML configuration, not to the old one', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin('saml')
    const email = newEmail()
    await invite(browser, organizationId, email)
    const samlConfigId = await portal.samlConfig('https://other.example')
    await change(organizationId, { loginMethod: 'saml', samlConfigId })
    const token = await invites.mailedToken(email)
    expect((await invites.find(token)).json()).toMatchObject({ loginMethod: 'saml' })
    expect((await invites.acceptWithSsn(email, token, 'saml', '199908072391')).statusCode).toBe(204)
    expect(await invites.userOf(email)).toMatchObject({ loginMethod: 'saml', samlConfigId })
  })

  test('does not affect people who have accepted', async () => {
    const { browser, organizationId, admin } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email)
    await invites.accept(email, await invites.mailedToken(email))
    await change(organizationId, { loginMethod: 'bankid' })
    const ways = await Promise.all([email, admin.email].map((one) => invites.userOf(one)))
    expect(ways.map((user) => user?.loginMethod)).toEqual(['local', 'local'])
  })
})

describe('the link that an admin may read', () => {
  test('works like the mailed link, until it is used', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    const email = newEmail()
    await invite(browser, organizationId, email)
    const response = await browser.get(invitePath(email, organizationId))
    expect(response.statusCode).toBe(200)
    expect((await invites.accept(email, tokenIn(response.json().url))).statusCode).toBe(204)
    expect((await browser.get(invitePath(email, organizationId))).statusCode).toBe(404)
  })

  test('is shown for every open invitation, and is useless if the address has an account', async () => {
    const { browser, organizationId } = await invites.organizationWithAdmin()
    for (const options of [{}, { superUser: true }]) {
      const { email } = await portal.person({ email: newEmail(), ...options })
      await invite(browser, organizationId, email)
      const token = await invites.shownToken(browser, email, organizationId)
      expect((await invites.accept(email, token)).json().message).toBe('invitationInvalid')
    }
  })
})
