import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outboxMessages } from '#contract/dev-outbox/dev-outbox.ts'
import { newId } from '#server/platform/ids.ts'
import { createFolderOutbox } from '#server/platform/messages/folder-outbox.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const json = { accept: 'application/json' }
const mail = {
  id: newId(),
  to: 'user@nordvik.example',
  subject: 'Välj <b>ett</b> nytt lösenord',
  text: 'Öppna https://portal.test/reset-password/abc?x=1&y="2" nu <script>alert(1)</script>',
  html: '<p style="color:red">Öppna</p><script>alert(1)</script>',
}

let dataDir: string
let portal: TestApp
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dev-outbox-'))
  portal = await testApp({ DATA_DIR: dataDir })
})
afterAll(async () => {
  await portal.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('/dev/outbox', () => {
  it('is empty before anything was sent', async () => {
    expect((await portal.browser().get('/dev/outbox', json)).json()).toEqual([])
    const { body } = await portal.browser().get('/dev/outbox', { ...page, 'accept-language': 'en' })
    expect(body).toContain('Nothing has been sent yet.')
  })

  it('lists sent messages as JSON for a script, newest first', async () => {
    const outbox = createFolderOutbox(join(dataDir, 'outbox'), portal.now)
    await outbox.mailer.send({ ...mail, language: 'sv' })
    portal.advance(60)
    await outbox.sms.send({ to: '+46701740605', text: '048213 är din kod.\n\n@portal.test #048213' })
    const answer = await portal.browser().get('/dev/outbox', json)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const [sms, sent, ...rest] = outboxMessages.parse(answer.json())
    expect(sms).toMatchObject({ kind: 'sms', to: '+46701740605', subject: null, html: null })
    expect(sent).toEqual({ ...mail, kind: 'mail', at: '2026-03-02T08:00:00.000Z' })
    expect(rest).toEqual([])
  })

  it('shows people the same as a page that the policy of all pages holds for', async () => {
    const { body, headers } = await portal.browser().get('/dev/outbox', page)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("style-src 'self'")
    expect(body).toContain('Välj &#60;b&#62;ett&#60;/b&#62; nytt lösenord')
    expect(body).toContain('048213 är din kod.')
    expect(body).toContain('href="https://portal.test/reset-password/abc?x=1&#38;y="')
    expect(body).toContain(`<iframe sandbox`)
    expect(body).not.toMatch(/<script|style=|<b>/)
  })

  it('shows the HTML of a mail as a frame of our own page alone may', async () => {
    const { body, headers } = await portal.browser().get(`/dev/outbox/${mail.id}`, page)
    expect(body).toBe(mail.html)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'",
    )
    expect(headers['x-frame-options']).toBeUndefined()
  })

  it('has a style sheet of its own', async () => {
    const { body, headers } = await portal.browser().get('/dev/outbox.css')
    expect(headers['content-type']).toBe('text/css; charset=utf-8')
    expect(body).toContain('--accent-text:')
    expect(body).toContain('.subject')
  })

  it.each([newId(), '../outbox', 'x'])('knows no message %s', async (id) => {
    const answer = await portal.browser().get(`/dev/outbox/${encodeURIComponent(id)}`, json)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toMatchObject({ message: 'notFound' })
  })

  it('passes over a file that is no message', async () => {
    await writeFile(join(dataDir, 'outbox', `${newId()}.json`), '{"id":')
    expect((await portal.browser().get('/dev/outbox', json)).json()).toHaveLength(2)
  })
})

describe('in production', () => {
  it('there is no /dev/outbox', async () => {
    const env = {
      NODE_ENV: 'production',
      BASE_URL: 'https://portal.test',
      MASTER_KEY: 'q8Zt0nV3mKx7RbY2LdWc5HfJ9sGaPuEe1iTo4vMzXk6',
      DATABASE_URL: 'postgres://unused.invalid/db',
      SMTP_URL: 'smtps://unused.invalid',
      DATA_DIR: dataDir,
    }
    const production = await testApp(env)
    try {
      expect((await production.browser().get('/api/portal')).statusCode).toBe(200)
      for (const url of ['/dev/outbox', `/dev/outbox/${mail.id}`, '/dev/outbox.css'])
        expect((await production.browser().get(url, json)).statusCode).toBe(404)
    } finally {
      await production.close()
    }
  })
})
