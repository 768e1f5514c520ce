import { expect, test } from 'vitest'
import { testApp } from '#test/test-app.ts'

const addressesOf = async (forwarded: readonly string[], env: Record<string, string> = {}) => {
  const portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1', ...env })
  for (const address of forwarded)
    await portal.app.inject({ url: '/health/live', headers: { 'x-forwarded-for': address } })
  const lines = portal.logged.filter(({ msg }) => msg === 'request')
  await portal.close()
  return lines.map(({ address }) => address)
}

test("the line of a request has nothing of the client's address", async () => {
  const portal = await testApp({ TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'info' })
  const headers = { 'x-forwarded-for': '192.0.2.77' }
  for (const url of ['/login', '/api/authType?email=anna@nordvik.example', '/none'])
    await portal.app.inject({ url, headers })
  await portal.close()
  const lines = portal.logged.filter(({ msg }) => msg === 'request')
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line).not.toHaveProperty('address')
  expect(JSON.stringify(portal.logged)).not.toContain('192.0.2.')
})

test("with LOG_ADDRESSES=full it has the client's address, and in place of what is none the proxy's", async () => {
  const forwarded = ['192.0.2.77', '2001:db8:1:2::3', 'anna@nordvik.example', '203.0.113.5, 192.0.2.77']
  expect(await addressesOf(forwarded, { LOG_ADDRESSES: 'full' })).toEqual([
    '192.0.2.77',
    '2001:db8:1:2::3',
    '127.0.0.1',
    '192.0.2.77',
  ])
})

test('with LOG_ADDRESSES=masked it has only the network', async () => {
  const forwarded = ['192.0.2.77', '2001:db8:1:2::3', 'anna@nordvik.example']
  expect(await addressesOf(forwarded, { LOG_ADDRESSES: 'masked' })).toEqual([
    '192.0.2.0/24',
    '2001:db8:1::/48',
    '127.0.0.0/24',
  ])
})
