import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { type TestApp, testApp } from '#test/test-app.ts'
import { secret } from '../../secret.ts'
import type { System } from '../../system.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal?.close())

const scrape = async (app: TestApp['app'], authorization?: string) =>
  app.inject({ url: '/metrics', headers: { host: '10.0.0.7', ...(authorization ? { authorization } : {}) } })

/** The value of a series in the text that Prometheus reads. */
const seriesValue = (text: string, series: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('counts requests by route template, method and status, never by address', async () => {
  const client = await portal.signedIn(await portal.person({ superUser: true }))
  const { serviceId } = await portal.service()
  await client.get(`/api/services/${serviceId}`)
  await client.get(`/api/services/${serviceId}`)
  await client.get('/api/services/none')
  const before = (await scrape(portal.app)).body
  await client.get('/some/unknown/anna@nordvik.example')
  const { body, headers } = await scrape(portal.app)
  const count = (labels: string, text = body) =>
    seriesValue(text, `vestibule_http_request_duration_seconds_count{${labels}}`)
  const unknown = 'method="GET",route="unknown",status="404"'
  expect(headers['content-type']).toContain('text/plain')
  expect(count('method="GET",route="/api/services/:id",status="200"')).toBe(2)
  expect(count('method="GET",route="/api/services/:id",status="404"')).toBe(1)
  expect(count(unknown)).toBe((count(unknown, before) ?? 0) + 1)
  expect(body).not.toMatch(new RegExp(`${serviceId}|nordvik`))
})

test('reports the event loop, the memory, the pool, the hashes and unsent messages', async () => {
  await portal.system.db
    .insertInto('outboxMessages')
    .values({
      id: '01a1fd8a-6d8e-745c-9c14-d68c8c9ccc99',
      kind: 'mail',
      template: 'login-code',
      recipient: 'x',
      language: 'sv',
      sealed: Buffer.of(1),
      state: 'failed',
    })
    .execute()
  const { body } = await scrape(portal.app)
  for (const series of [
    'vestibule_event_loop_delay_seconds{percentile="99"}',
    'vestibule_memory_bytes{kind="resident"}',
    'vestibule_uptime_seconds',
  ])
    expect(seriesValue(body, series), series).toBeGreaterThan(0)
  expect(seriesValue(body, 'vestibule_database_connections{state="waiting"}')).toBe(0)
  expect(seriesValue(body, 'vestibule_audit_unsealed_seconds')).toBeGreaterThan(0)
  expect(seriesValue(body, 'vestibule_password_hashes{state="waiting"}')).toBe(0)
  expect(seriesValue(body, 'vestibule_outbox_messages{state="failed"}')).toBe(1)
  expect(seriesValue(body, 'vestibule_outbox_messages{state="queued"}')).toBe(0)
})

describe('with a token', () => {
  const withSetting = async (change: Partial<System['config']>) => {
    const config = { ...readConfig({ BASE_URL: 'http://portal.test', DEMO: 'off' }), ...change }
    const { app } = await createApp({ ...portal.system, config }, { webFolder: '/nowhere' })
    return app
  }

  test('it asks for exactly that token', async () => {
    const app = await withSetting({ metricsToken: secret('the-token-of-the-scraper') })
    for (const wrong of [
      undefined,
      'Bearer ',
      'Bearer the-token-of-the-scrape',
      'Basic dGhlOnRva2Vu',
      'the-token-of-the-scraper',
    ]) {
      const response = await scrape(app, wrong)
      expect([wrong, response.statusCode, response.headers['www-authenticate']]).toEqual([wrong, 401, 'Bearer'])
      expect(response.body).not.toContain('vestibule_')
    }
    expect((await scrape(app, 'Bearer the-token-of-the-scraper')).statusCode).toBe(200)
    await app.close()
  })

  test('and without one there are no metrics in production', async () => {
    const app = await withSetting({ production: true })
    const response = await scrape(app)
    expect([response.statusCode, response.json().message]).toEqual([404, 'notFound'])
    await app.close()
  })
})

test('says for how long a restored copy has been in quarantine', async () => {
  expect(seriesValue((await scrape(portal.app)).body, 'vestibule_quarantine_seconds')).toBe(0)
  const own = await testApp()
  await own.system.db.updateTable('installation').set({ quarantinedSince: own.now() }).execute()
  const copy = await own.anotherNode()
  own.advance(90_000)
  expect(seriesValue((await scrape(copy.app)).body, 'vestibule_quarantine_seconds')).toBe(90_000)
  await copy.close()
  await own.close()
})
