import type { TestApp } from './test-app.ts'

export type Directory = Awaited<ReturnType<typeof directoryOf>>

let directories = 0

/** An organisation with a sign-in of its own, and its directory, which calls by SCIM as this test says. */
export async function directoryOf(portal: TestApp, { name = 'Entra' }: { name?: string } = {}) {
  const mailDomain = `customer${++directories}.example`
  const { organizationId, name: organizationName } = await portal.organization(`Customer ${directories}`)
  const samlConfigId = await portal.samlConfig(`https://${mailDomain}`)
  await portal.system.db
    .updateTable('organizations')
    .set({ loginMethod: 'saml', samlConfigId })
    .where('organizationId', '=', organizationId)
    .execute()
  // With a sign-in of the portal, as someone from elsewhere has.
  const admin = await portal.person({ email: `admin@${mailDomain}` })
  await portal.join(admin.accountId, organizationId, 'organizationAdmin', 'guest')
  const browser = await portal.signedIn(admin)
  const url = `/api/organizations/${organizationId}/directory`
  const { token } = (await browser.post(`${url}/tokens`, { name, days: '365' })).json()

  /** A request as a directory sends it: no browser, a bearer token, SCIM's own content type. */
  const call = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) =>
    portal.app.inject({
      method,
      url: `/scim/v2${path}`,
      headers: {
        host: 'portal.test',
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
  let people = 0
  const user = (more: Record<string, unknown> = {}) => {
    const userName = `person${++people}@${mailDomain}`
    return {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      externalId: `external-${people}`,
      name: { givenName: 'Åsa', familyName: 'Öberg' },
      emails: [{ value: userName, type: 'work', primary: true }],
      active: true,
      ...more,
    }
  }
  return {
    ...{ organizationId, organizationName, samlConfigId, mailDomain, admin, browser, url, token, name, call, user },
    /** Adds somebody. @returns the id of the directory's view, and the address */
    async created(more: Record<string, unknown> = {}): Promise<{ id: string; email: string }> {
      const sent = user(more)
      const answer = await call('POST', '/Users', sent)
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return { id: answer.json().id, email: String(sent.userName) }
    },
    patch: (id: string, ...operations: object[]) =>
      call('PATCH', `/Users/${id}`, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: operations,
      }),
    /** The account of an address, with its membership here. */
    async accountAt(email: string) {
      const { rows } = await portal.system.pool.query(
        `select u.account_id as "accountId", u.first_name as "firstName", u.last_name as "lastName", u.pending, u.email_proof as "emailProof",
           u.login_method as "loginMethod", u.phone_number as "phoneNumber", u.phone_claim as "phoneClaim", m.user_role as role,
           array(select service_id from service_assignments a where a.account_id = u.account_id and a.organization_id = $2) as services
         from users u left join memberships m on m.account_id = u.account_id and m.organization_id = $2 where u.email = $1`,
        [email, organizationId],
      )
      return rows[0]
    },
    /** The newest row of the log. */
    logged: async () => (await browser.get(`${url}/log`)).json().items[0],
  }
}
