import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { addressKey } from '../../limits/address.ts'
import { createLog } from '../../log.ts'
import { createHttpServer } from '../http-server.ts'

const proxy = '10.0.0.7'
let app: FastifyInstance
let lines: { level: string; msg: string; address?: string | null }[] = []

const start = async () => {
  const env = { BASE_URL: 'http://portal.test', DEMO: 'off', TRUSTED_PROXIES: '10.0.0.0/8' }
  const logger = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const server = await createHttpServer({ config: readConfig(env), logger, renderProblemPage: () => '' })
  server.get('/ip', async ({ ip }) => ({ ip }))
  return server
}
beforeAll(async () => {
  app = await start()
})
afterAll(() => app?.close())
beforeEach(() => {
  lines = []
})

const call = async (headers: Record<string, string>, remoteAddress = proxy, server = app) =>
  (await server.inject({ url: '/ip', headers: { host: 'portal.test', ...headers }, remoteAddress })).json().ip
const warnings = () => lines.filter(({ level }) => level === 'warn')

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51008', '203.0.113.7'],
  ['203.0.113.7:', '203.0.113.7'],
  ['"203.0.113.7:51008"', '203.0.113.7'],
  ['[203.0.113.7]:80', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7:51008', '203.0.113.7'],
  ['[::ffff:cb00:7107]:80', '203.0.113.7'],
  ['2001:db8::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:51008', '2001:db8::7'],
  ['"[2001:db8::7]:51008"', '2001:db8::7'],
  ['fe80::7%eth0', 'fe80::7'],
  ['[fe80::7%25eth0]:443', 'fe80::7'],
  ['  203.0.113.7  ', '203.0.113.7'],
  ['203.0.113.7:51008,', '203.0.113.7'],
  [',, 203.0.113.7:51008 ,,', '203.0.113.7'],
  ['192.0.2.1:1, 203.0.113.7:51008', '203.0.113.7'],
  ['203.0.113.7:51008, 10.1.1.1:443', '203.0.113.7'],
  ['unknown, 203.0.113.7:51008, [::ffff:10.1.1.1]:443', '203.0.113.7'],
])('a trusted proxy writes %j: the address is %s', async (forwarded, address) => {
  expect(await call({ 'x-forwarded-for': forwarded })).toBe(address)
})

test.each([
  ['for=203.0.113.7', '203.0.113.7'],
  ['For="203.0.113.7:51008";proto=https;by=10.0.0.7', '203.0.113.7'],
  ['proto=https ; for="[2001:db8::7]:51008"', '2001:db8::7'],
  ['for="[2001:db8::7]:_port"', '2001:db8::7'],
  ['for=192.0.2.1;host="a,b", for=203.0.113.7', '203.0.113.7'],
  ['for=_hidden, for=203.0.113.7, for=10.1.1.1', '203.0.113.7'],
])('a trusted proxy writes Forwarded: %s, and no X-Forwarded-For: the address is %s', async (forwarded, address) => {
  expect(await call({ forwarded })).toBe(address)
  expect(await call({ forwarded, 'x-forwarded-for': '198.51.100.4' })).toBe('198.51.100.4')
})

const unreadable: Record<string, string>[] = [
  'unknown',
  '_obfuscated',
  'nonsense',
  '-',
  '"',
  '203.0.113',
  '203.0.113.7.9',
  '203.0.113.007',
  '203.0.113.7 51008',
  '2001:db8::7::1',
  '[2001:db8::7',
  'x'.repeat(8000),
].map((text) => ({ 'x-forwarded-for': text }))
for (const forwarded of ['for=unknown', 'for=_hidden', 'proto=https', 'for="', 'for=']) unreadable.push({ forwarded })

test('what cannot be read is said once, and counts by the connection that brought it', async () => {
  const server = await start()
  for (const headers of unreadable) {
    const ip = await call(headers, proxy, server)
    expect([ip, addressKey(ip)], JSON.stringify(headers).slice(0, 60)).toEqual([proxy, proxy])
    expect(await call(headers, '10.0.0.8', server)).toBe('10.0.0.8')
  }
  expect(warnings().map(({ address }) => address)).toEqual([proxy, '10.0.0.8'])
  for (let host = 10; host < 40; host++) await call({ 'x-forwarded-for': 'unknown' }, `10.0.0.${host}`, server)
  expect(warnings()).toHaveLength(10)
  expect(warnings()[0]?.msg).toContain('no address')
  await server.close()
})

test('where a readable proxy stands behind one that cannot be read, it counts by that', async () => {
  expect(await call({ 'x-forwarded-for': 'unknown, 10.1.1.1:443' })).toBe('10.1.1.1')
})

test('an empty header is none', async () => {
  for (const headers of [{ 'x-forwarded-for': '' }, { 'x-forwarded-for': ' , ,' }, { forwarded: '' }])
    expect(await call(headers)).toBe(proxy)
  expect(warnings()).toEqual([])
})

test('nobody else is believed, in no form', async () => {
  for (const headers of [{ 'x-forwarded-for': '203.0.113.7:51008' }, { forwarded: 'for=203.0.113.7' }, ...unreadable])
    expect(await call(headers, '198.51.100.9')).toBe('198.51.100.9')
  expect(warnings()).toHaveLength(1)
  expect(warnings()[0]).toMatchObject({ address: '198.51.100.0/24', msg: expect.stringContaining('TRUSTED_PROXIES') })
})
