import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { createLog } from '../log.ts'
import { createHttpServer } from './http-server.ts'
import { readInlineStyleHashes } from './inline-styles.ts'
import { loadPublicPages } from './public-pages.ts'

// Signs that mark places elsewhere in a page, and those that a replacement would read.
const style = 'main{width:50%50%}@media(min-width:1px){a{content:"$& %x% %?y%"}}'
const config = readConfig({ BASE_URL: 'http://portal.test', DEMO: 'off' })
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vestibule-pages-'))
  mkdirSync(join(folder, 'prerendered'))
  writeFileSync(
    join(folder, 'prerendered', 'not-found.sv.html'),
    `<!doctype html><style>${style}</style><p data-error="%error%">%requestId%</p>`,
  )
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a page keeps its inline style byte by byte, and the policy contains its hash', async () => {
  const pages = loadPublicPages(folder, {
    config,
    quarantine: { isActive: () => false, since: () => null, ended: async () => {}, close: () => {} },
  })
  const app = await createHttpServer({
    config,
    logger: createLog('silent'),
    renderProblemPage: pages.renderProblem,
    styles: readInlineStyleHashes(folder),
  })
  const { headers, payload } = await app.inject({ url: '/none', headers: { host: 'portal.test', accept: 'text/html' } })
  expect(payload).toContain(`<style>${style}</style>`)
  expect(payload).toContain('data-error="notFound"')
  const source = `'sha256-${createHash('sha256').update(style).digest('base64')}'`
  expect(headers['content-security-policy']).toContain(`; style-src 'self' ${source}; `)
  expect(headers['content-security-policy']).not.toMatch(/unsafe|nonce/)
  await app.close()
})
