import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { createLog } from '../log.ts'
import { createHttpServer } from './http-server.ts'
import { serveLocaleFiles } from './locale-files.ts'
import { serveWebFiles } from './web-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'vestibule-web-'))
const script = 'console.log("the app");'.repeat(100)
const logged: string[] = []
let app: FastifyInstance

async function open(webFolder: string, production = false): Promise<FastifyInstance> {
  const server = await createHttpServer({
    config: readConfig({ BASE_URL: 'http://portal.test', DEMO: 'off' }),
    logger: createLog('info', { write: (line: string) => void logged.push(line) }),
    renderProblemPage: (_, status, key) => `<h1>${status} ${key}</h1>`,
  })
  await serveLocaleFiles(server, join(import.meta.dirname, '../../../locales'))
  await serveWebFiles(server, { folder: webFolder, production })
  await server.ready()
  return server
}

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'))
  mkdirSync(join(folder, '.vite'))
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content)
  write('app.html', '<!doctype html><html lang="sv"><link href="/locales/sv/translation.json"></html>')
  write('kit.html', '<!doctype html><title>kit</title>')
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  write('.vite/manifest.json', '{}')
  write('assets/app-1a2b3c.js', script)
  write('assets/app-1a2b3c.js.br', brotliCompressSync(script))
  write('assets/app-1a2b3c.js.gz', gzipSync(script))
  write('assets/.secret', 'secret')
  app = await open(folder)
})
afterAll(async () => {
  await app?.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}, on = app) =>
  on.inject({ url, headers: { host: 'portal.test', ...headers } })
const page = { accept: 'text/html', 'sec-fetch-dest': 'document' }

describe('a hashed file', () => {
  test('may be kept for ever, and comes packed as the browser likes it best', async () => {
    const br = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip, br' })
    expect(br.statusCode).toBe(200)
    expect(br.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: expect.stringMatching(/accept-encoding/i),
    })
    expect(br.headers['content-type']).toMatch(/^(text|application)\/javascript/)
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(script)
    const gz = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gz.rawPayload).toString()).toBe(script)
    const plain = await get('/assets/app-1a2b3c.js')
    expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, script])
  })

  test('that does not exist returns 404, which is not cached', async () => {
    for (const url of ['/assets/app-000000.js', '/assets/.secret', '/assets/', '/assets/%2e%2e/app.html']) {
      const response = await get(url)
      expect([url, response.statusCode, response.headers['cache-control']]).toEqual([url, 404, 'no-store'])
      expect(response.json().message).toBe('notFound')
    }
  })
})

describe('the app', () => {
  test("comes in the browser's language, in the chosen one before that, and is never kept", async () => {
    const languageOf = async (headers: Record<string, string>) => {
      const response = await get('/', { ...page, ...headers })
      expect(response.headers['cache-control']).toBe('no-store')
      const [, html] = /<html lang="(\w+)"/.exec(response.body) ?? []
      expect(response.body).toContain(`/locales/${html}/translation.json`)
      return html
    }
    expect(await languageOf({})).toBe('sv')
    expect(await languageOf({ 'accept-language': 'de-DE,de;q=0.9,fr;q=0.3,en;q=0.5' })).toBe('en')
    expect(await languageOf({ 'accept-language': 'fi-FI' })).toBe('fi')
    expect(await languageOf({ 'accept-language': 'en', cookie: 'language=fr' })).toBe('fr')
    expect(await languageOf({ 'accept-language': 'sv', cookie: 'language=en-GB' })).toBe('en')
    expect(await languageOf({ 'accept-language': 'en;q=0,*', cookie: 'language=../../etc' })).toBe('sv')
  })

  test('is drawn for its screens; any other address is a true 404', async () => {
    const response = await get('/no-such-screen', page)
    expect([response.statusCode, response.body]).toEqual([404, '<h1>404 notFound</h1>'])
    for (const url of ['/app.html', '/kit.html', '/.vite/manifest.json'])
      expect((await get(url, page)).statusCode).toBe(404)
  })

  test('asks to be left alone by robots', async () => {
    expect((await get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n')
    expect((await get('/favicon.svg')).headers['content-type']).toContain('image/svg+xml')
  })

  test('shows its kit outside production alone', async () => {
    expect((await get('/dev/kit', page)).body).toContain('<title>kit</title>')
    const production = await open(folder, true)
    expect((await get('/dev/kit', page, production)).statusCode).toBe(404)
    await production.close()
  })

  test('that is not built is logged in one line at the start, and its addresses return 404', async () => {
    logged.length = 0
    const unbuilt = await open(join(folder, 'nowhere'))
    expect(logged.length).toBe(1)
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      level: 'error',
      msg: expect.stringContaining('npm run build:web'),
    })
    for (const url of ['/', '/assets/app-1a2b3c.js', '/favicon.svg'])
      expect((await get(url, page, unbuilt)).statusCode).toBe(404)
    expect((await get('/locales/sv/translation.json', {}, unbuilt)).statusCode).toBe(200)
    await unbuilt.close()
  })
})

describe('the texts', () => {
  test('of every language are there, and of no other', async () => {
    for (const language of ['sv', 'en', 'fi', 'fr']) {
      const response = await get(`/locales/${language}/translation.json`)
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(response.json().notFound.length).toBeGreaterThan(10)
    }
    for (const other of ['de', 'SV', '..', 'sv%2f..%2fen']) {
      const response = await get(`/locales/${other}/translation.json`)
      expect([other, response.statusCode, response.json().message]).toEqual([other, 404, 'notFound'])
    }
  })

  test('are sent once, and after that only when they changed', async () => {
    const { headers } = await get('/locales/fi/translation.json')
    expect(headers['cache-control']).toBe('no-cache')
    const again = await get('/locales/fi/translation.json', { 'if-none-match': `W/"other", ${headers.etag}` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await get('/locales/sv/translation.json', { 'if-none-match': String(headers.etag) })).statusCode).toBe(200)
  })

  test('come packed where that is understood', async () => {
    const plain = await get('/locales/fr/translation.json', { 'accept-encoding': 'br;q=0, gzip;q=0.0' })
    const br = await get('/locales/fr/translation.json', { 'accept-encoding': 'gzip, deflate, br' })
    const gz = await get('/locales/fr/translation.json', { 'accept-encoding': 'br;q=0, gzip' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
    expect(gunzipSync(gz.rawPayload).toString()).toBe(plain.body)
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  })
})
