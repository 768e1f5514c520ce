import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SamlDomain } from '#contract/saml-configs/saml-domains.ts'
import type { Client } from '#test/client.ts'
import { type DnsServer, dnsServer } from '#test/dns-server.ts'
import { rightAttempt, signedIn } from '#test/saml/attempt.ts'
import { type Company, company, employee } from '#test/saml/company.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let dns: DnsServer
let portal: TestApp
let root: Client
let acme: Company
let other: Company
beforeAll(async () => {
  dns = await dnsServer()
  portal = await testApp({ DNS_SERVERS: dns.address })
  root = await portal.signedIn(await portal.person({ superUser: true }))
  acme = await company(portal)
  other = await company(portal)
})
afterAll(async () => {
  dns.close()
  await portal?.close()
})

const domainsOf = ({ configId }: Company) => `/api/saml-configs/${configId}/domains`
const change = (call: string, of: Company, input: object) => root.post(`${domainsOf(of)}${call}`, input)
const authTypeOf = async (email: string) =>
  (await portal.browser().get(`/api/authType?${new URLSearchParams({ email })}`)).json().authType
const eventsOf = async ({ configId }: Company) => {
  await portal.seal()
  const { items } = (await root.get(`/api/audit-events?targetIdFilter=${configId}&sortDirection=desc`)).json()
  return Promise.all(items.map(async ({ id }: { id: string }) => (await root.get(`/api/audit-events/${id}`)).json()))
}

test('a domain counts once its TXT record is there, for the person of that domain and for unknown people', async () => {
  const added = await change('', acme, { domain: ' https://Acme.Åland.example/ ' })
  expect(added.statusCode).toBe(201)
  const [{ recordName, recordValue, ...waiting }] = added.json() as [SamlDomain]
  expect(waiting).toEqual({ domain: 'acme.åland.example', proof: null, provenAt: null, reason: null })
  const person = await employee(portal, acme, { email: 'eva@acme.åland.example', emailProof: null })
  expect(await authTypeOf('nobody@acme.åland.example')).toBe('local')
  expect(await rightAttempt(portal, acme, person)).toMatchObject({ signedInAs: undefined })

  const early = await change('/check', acme, { domain: 'acme.åland.example' })
  expect([early.statusCode, early.json().issues]).toEqual([422, [{ path: 'domain', message: 'domainRecordMissing' }]])
  expect(recordName).toBe('_vestibule.acme.xn--land-poa.example')
  dns.records.set(recordName, ['v=spf1 -all', `${recordValue}0`])
  expect((await change('/check', acme, { domain: 'acme.åland.example' })).statusCode).toBe(422)
  dns.records.set(recordName, ['v=spf1 -all', recordValue])
  const proven = await change('/check', acme, { domain: 'acme.åland.example' })
  expect(proven.json()).toMatchObject([{ proof: 'dns', provenAt: portal.now().toISOString(), reason: null }])
  expect(await authTypeOf('nobody@sales.acme.åland.example')).toBe('saml')
  expect(await rightAttempt(portal, acme, person)).toEqual(signedIn(person))
  const again = await change('/check', acme, { domain: 'acme.åland.example' })
  expect(again.json()).toEqual(proven.json())
  const row = (await root.get('/api/saml-configs')).json().find(({ id }: { id: number }) => id === acme.configId)
  expect(row).toMatchObject({ domain: `https://${acme.mailDomain}`, furtherDomains: 1 })

  await change('/remove', acme, { domain: 'acme.åland.example' })
  expect((await root.get(domainsOf(acme))).json()).toEqual([])
  expect(await rightAttempt(portal, acme, person)).toMatchObject({ signedInAs: undefined })
  expect((await eventsOf(acme)).map(({ name, changes }) => [name, changes])).toEqual([
    ['updateSamlConfig', [{ property: 'domainsProven', previousValue: 'acme.åland.example', newValue: null }]],
    [
      'updateSamlConfig',
      expect.arrayContaining([
        { property: 'domainsProven', previousValue: null, newValue: 'acme.åland.example' },
        { property: 'domainsWaiting', previousValue: 'acme.åland.example', newValue: null },
      ]),
    ],
    ['updateSamlConfig', [{ property: 'domainsWaiting', previousValue: null, newValue: 'acme.åland.example' }]],
  ])
})

test('a super user confirms a domain for a reason, which the audit log keeps; a record proves more', async () => {
  const input = { domain: 'confirmed.example' }
  const [{ recordName, recordValue }] = (await change('', other, input)).json()
  expect((await change('/confirm', other, { ...input, reason: ' ' })).statusCode).toBe(422)
  const confirmed = await change('/confirm', other, { ...input, reason: 'Their registrar wrote to us' })
  expect(confirmed.json()).toMatchObject([{ proof: 'confirmed', reason: 'Their registrar wrote to us' }])
  expect((await change('/confirm', other, { ...input, reason: 'Another' })).json()).toEqual(confirmed.json())
  const [event] = await eventsOf(other)
  expect(event.changes).toContainEqual({
    property: 'domainsConfirmed',
    previousValue: null,
    newValue: 'confirmed.example (Their registrar wrote to us)',
  })
  dns.records.set(recordName, [recordValue])
  expect((await change('/check', other, input)).json()).toMatchObject([{ proof: 'dns', reason: null }])
})

test('a domain counts for one configuration, also when both are proven at the same time', async () => {
  expect((await change('', acme, { domain: other.mailDomain })).json().message).toBe('domainTaken')
  expect((await change('', acme, { domain: acme.mailDomain })).json().message).toBe('domainTaken')
  const input = { domain: 'both.example' }
  for (const one of [acme, other]) expect((await change('', one, input)).statusCode).toBe(201)
  const twice = await change('', acme, input)
  expect([twice.statusCode, twice.json().issues[0].message]).toEqual([422, 'domainAlreadyThere'])
  const answers = await Promise.all([acme, other].map((one) => change('/confirm', one, { ...input, reason: 'ours' })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const late = answers.find(({ statusCode }) => statusCode === 409)
  expect(late?.json().message).toBe('domainTaken')
})

test('the record of one configuration proves nothing for another', async () => {
  const input = { domain: 'copied.example' }
  const [mine, theirs] = await Promise.all(
    [acme, other].map(async (one) =>
      (await change('', one, input)).json().find(({ domain }: SamlDomain) => domain === input.domain),
    ),
  )
  dns.records.set(theirs.recordName, [theirs.recordValue])
  expect(mine.recordName).toBe(theirs.recordName)
  expect((await change('/check', acme, input)).statusCode).toBe(422)
  expect((await change('/check', other, input)).statusCode).toBe(200)
})

test.each(['se', 'a b.se', '', 'acme', '10.0.0.1', 'x'.repeat(300)])('%j is no domain', async (domain) => {
  expect((await change('', acme, { domain })).statusCode).toBe(422)
})

test('a domain that was never added, or a configuration that does not exist, is not found', async () => {
  for (const call of ['/check', '/remove', '/confirm']) {
    const input = { domain: 'never.example', ...(call === '/confirm' && { reason: 'x' }) }
    expect((await change(call, acme, input)).statusCode).toBe(404)
    expect((await change(call, { ...acme, configId: 999_999 }, input)).statusCode).toBe(404)
  }
})

test('a DNS server that does not answer is named, and the domain goes on waiting', async () => {
  const silent = await testApp({ DNS_SERVERS: '127.0.0.1:9' })
  try {
    const admin = await silent.signedIn(await silent.person({ superUser: true }))
    const { configId } = await company(silent)
    const path = `/api/saml-configs/${configId}/domains`
    await admin.post(path, { domain: 'acme.example' })
    const answer = await admin.post(`${path}/check`, { domain: 'acme.example' })
    expect([answer.statusCode, answer.json().issues]).toEqual([422, [{ path: 'domain', message: 'dnsNoAnswer' }]])
    expect((await admin.get(path)).json()).toMatchObject([{ proof: null }])
  } finally {
    await silent.close()
  }
})
