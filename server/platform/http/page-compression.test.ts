import { gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressPages } from './page-compression.ts'

const page = `<!doctype html>${'<p>Å'.repeat(1000)}`
const app = fastify()
compressPages(app)
app.get('/page', (_, reply) => reply.header('vary', 'cookie').type('text/html; charset=utf-8').send(page))
app.get('/small', (_, reply) => reply.type('text/html').send('<p>'))
app.get('/data', () => ({ text: page }))

const get = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

test('a page is compressed for a browser that accepts it, with a Vary header', async () => {
  const { headers, rawPayload } = await get('/page', 'br;q=1.0, GZIP;q=0.8')
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'cookie, accept-encoding'])
  expect(Number(headers['content-length'])).toBe(rawPayload.length)
  expect(gunzipSync(rawPayload).toString()).toBe(page)
})

test.each([undefined, '', 'br', 'gzip;q=0', 'identity, gzip;q=0.000'])(
  'a request with accept-encoding %s gets an uncompressed page',
  async (encoding) => {
    const { headers, payload } = await get('/page', encoding)
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'cookie, accept-encoding'])
    expect(payload).toBe(page)
  },
)

test('small pages and data are left alone', async () => {
  for (const url of ['/small', '/data']) expect((await get(url, 'gzip')).headers['content-encoding']).toBeUndefined()
})
