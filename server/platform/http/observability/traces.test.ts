import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[]
}

/** Runs requests in a portal that sends to a collector. @returns what arrived */
async function traced(env: Record<string, string>, work: (portal: TestApp) => Promise<void>) {
  const bodies: string[] = []
  const collector = createServer(async (request, response) => {
    if (request.url === '/v1/traces') bodies.push(await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done))
  const { port } = collector.address() as AddressInfo
  const portal = await testApp({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, ...env })
  await work(portal)
  await portal.close()
  collector.closeAllConnections()
  await new Promise((done) => collector.close(done))
  const spans: Span[] = bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap((one: { scopeSpans: { spans: Span[] }[] }) =>
      one.scopeSpans.flatMap(({ spans }) => spans),
    ),
  )
  return { spans, sent: bodies.join() }
}
const attribute = ({ attributes }: Span, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? value?.intValue
}

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const email = 'astrid@traces.example'

describe('with a collector', () => {
  let found: Awaited<ReturnType<typeof traced>>
  beforeAll(async () => {
    found = await traced({}, async (portal) => {
      const browser = await portal.signedIn(await portal.person({ email, superUser: true }))
      await browser.get('/api/services?sort=url', { traceparent })
      await browser.post('/api/services', { name: 'Journal', url: 'https://journal.example' })
      await portal.app.inject('/health/live')
    })
  })

  test('a request is a span with its route and status, and its statements are its children', () => {
    for (const [name, status] of [
      ['GET /api/services', 200],
      ['POST /api/services', 201],
    ] as const) {
      const request = found.spans.find((span) => span.name === name) as Span
      expect(Number(attribute(request, 'http.response.status_code'))).toBe(status)
      const children = found.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
      const table = name.startsWith('GET') ? /from "services"/ : /insert into "services"/
      expect(children.some((span) => table.test(String(attribute(span, 'db.query.text'))))).toBe(true)
      expect(children.length).toBeGreaterThan(1)
      expect(new Set(children.map(({ traceId }) => traceId))).toEqual(new Set([request.traceId]))
    }
  })

  test('no value and no address of a person leaves, and no probe', () => {
    expect(found.sent).not.toMatch(/astrid|Journal|journal\.example|sort=url/)
    expect(found.spans.filter(({ name }) => name.includes('health'))).toEqual([])
  })

  test('a caller who is no proxy of ours does not choose the trace', () => {
    expect(found.sent).not.toContain('0af7651916cd43dd8448eb211c80319c')
  })
})

test('behind an own proxy a request continues the trace of the proxy', async () => {
  const { spans } = await traced({ TRUSTED_PROXIES: '127.0.0.1' }, async (portal) => {
    await portal.browser().get('/api/portal', { traceparent })
  })
  expect(spans.find(({ name }) => name === 'GET /api/portal')).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
  })
})
