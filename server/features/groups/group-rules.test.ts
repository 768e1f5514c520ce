import { afterAll, beforeAll, expect, test } from 'vitest'
import { extractTokenClaims } from '#server/company-oidc/token-claims.ts'
import { extractClaims } from '#server/saml/claims.ts'
import { groupsOf, newGroupName } from '#test/group-home.ts'
import { attempt } from '#test/saml/attempt.ts'
import { company, companyAnswer, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let groups: ReturnType<typeof groupsOf>
beforeAll(async () => {
  portal = await testApp({ LIMIT_API: '1000000/60' })
  groups = groupsOf(portal)
})
afterAll(() => portal?.close())

/** A company with a service, and one of its people, whose sign-in says something about them. */
async function customer() {
  const acme = await company(portal)
  const { organizationId } = acme
  const { serviceId } = await portal.service()
  await portal.offer(organizationId, serviceId)
  const root = await portal.signedIn(await portal.person({ superUser: true }))
  const person = await employee(portal, acme)
  const signIn = (attributes: Record<string, string>) =>
    attempt(portal, {
      company: acme,
      craft: (asked) => companyAnswer(acme, asked, { nameId: person.email, attributes }),
    })
  return { acme, organizationId, serviceId, root, person, signIn }
}

const number = '199908072391'
const token = { iss: 'https://idp.example', sub: '1', aud: 'portal', iat: 0, exp: 0 }

test('no rule asks for a personal number, under whatever name and in whatever form it comes', async () => {
  const attributes = new Map([
    ['personalIdentityNumber', ['staff-4']],
    ['employeeNumber', [`${number.slice(0, 8)}-${number.slice(8)}`, '4711']],
    ['mail', ['a@nordvik.example']],
  ])
  const own = { ...{ ssnAttribute: 'Kort', emailAttribute: null, nameIdIsEmail: false }, ...names }
  expect(
    extractClaims({ issuer: 'https://idp.example', attributes, nameId: undefined, nameIdFormat: undefined }).attributes,
  ).toEqual(
    new Map([
      ['employeenumber', ['4711']],
      ['mail', ['a@nordvik.example']],
    ]),
  )
  attributes.set('kort', ['4711'])
  expect(
    extractClaims(
      { issuer: 'https://idp.example', attributes, nameId: undefined, nameIdFormat: undefined },
      own,
    ).attributes?.has('kort'),
  ).toBe(false)
  const claims = extractTokenClaims(
    { ...token, email: 'a@nordvik.example', email_verified: true, personnummer: number, kort: '4711', staff: number },
    [],
    { ...{ ssnAttribute: 'kort', emailAttribute: null }, ...names },
  )
  expect(['personnummer', 'kort', 'staff'].flatMap((name) => claims.attributes?.get(name) ?? [])).toEqual([])
  const home = await groups.newHome({ people: 0 })
  const answer = await home.browser.post('/api/groups', {
    ...{ organizationId: home.organizationId, name: newGroupName() },
    ...{ ruleAttribute: 'employeeNumber', ruleValue: number },
  })
  expect([answer.statusCode, answer.json().issues]).toEqual([422, [{ path: 'ruleValue', message: 'invalidValue' }]])
})
const names = { firstNameAttribute: null, lastNameAttribute: null }

test('another sign-in of the organisation ends what rules gave, and its event names whom', async () => {
  const { acme, organizationId, serviceId, root, person, signIn } = await customer()
  const form = { organizationId, name: 'Ekonomi', ruleAttribute: 'department', ruleValue: 'Ekonomi' }
  const created = await root.post('/api/groups', { ...form, services: [{ serviceId }] })
  expect(created.statusCode, created.body).toBe(201)
  await signIn({ department: 'Ekonomi' })
  expect(await groups.servicesOf(person, acme)).toEqual([serviceId])
  const { version } = (await root.get(`/api/organizations/${organizationId}`)).json()
  const answer = await root.put('/api/organizations', { organizationId, version, loginMethod: 'local' })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(await groups.servicesOf(person, acme)).toEqual([])
  expect(await groups.changesOf('updateOrganization', acme)).toContain(`${person.email} (Ekonomi)`)
})

test('groups that Entra ID leaves out, because they are too many, put nobody in and take nobody out', async () => {
  const { acme, organizationId, serviceId, root, person, signIn } = await customer()
  const groupsClaim = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups'
  for (const [name, ruleAttribute, services] of [
    ['Av grupper', groupsClaim, [{ serviceId }]],
    ['Avdelning', 'department', []],
  ] as const) {
    const form = { organizationId, name, ruleAttribute, ruleValue: 'Ekonomi', services }
    expect((await root.post('/api/groups', form)).statusCode).toBe(201)
  }
  const isIn = async () => {
    const list = (await root.get(`/api/organizations/${organizationId}/groups`)).json()
    return list.map(({ people }: { people: number }) => people)
  }
  await signIn({ [groupsClaim]: 'Ekonomi', department: 'Ekonomi' })
  expect(await isIn()).toEqual([1, 1])
  await signIn({ 'http://schemas.microsoft.com/claims/groups.link': 'https://graph.example/groups' })
  expect(await isIn()).toEqual([1, 0])
  expect(await groups.servicesOf(person, acme)).toEqual([serviceId])
  await signIn({ [groupsClaim]: 'Lön' })
  expect(await isIn()).toEqual([0, 0])
})

test('likewise in a token, which says where they are, or only that there are some', () => {
  const known = { ...token, email: 'a@nordvik.example', email_verified: true }
  const unsaidIn = (more: object) => extractTokenClaims({ ...known, ...more }, []).unsaid
  expect(unsaidIn({ groups: ['Ekonomi'] })).toEqual(new Set())
  expect(unsaidIn({ _claim_names: { groups: 'src1' }, _claim_sources: {} })?.has('groups')).toBe(true)
  expect(unsaidIn({ hasgroups: true })?.has('groups')).toBe(true)
  expect(unsaidIn({ _claim_names: { Avdelning: 'src1' } })).toEqual(new Set(['avdelning']))
})
