import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '#test/free-port.ts'
import { expect, test } from './fixtures.ts'
import { demoPassword, people } from './people.ts'
import { startPortal } from './portal-server.ts'
import { t } from './texts.ts'

// Where a browser sends no Sec-Fetch-Site, the origin of a form is all that says where it comes from.

/** Passes requests on to a portal without `Sec-Fetch-…`, as some filters do; each has its own name for the origin. */
async function startFilter(portal: URL) {
  const origins: (string | undefined)[] = []
  const server = createServer((asked, answer) => {
    const own = `http://${asked.headers.host}`
    const theirs = (text: string | undefined) => text?.replace(own, portal.origin)
    const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !name.startsWith('sec-fetch-')))
    if (headers.origin) headers.origin = theirs(String(headers.origin))
    headers.host = portal.host
    const { method, url } = asked
    if (method === 'POST' && headers['content-type'] === 'application/x-www-form-urlencoded')
      origins.push(asked.headers.origin)
    const passed = request({ host: '127.0.0.1', port: portal.port, method, path: url, headers }, (given) => {
      const { location } = given.headers
      answer.writeHead(given.statusCode ?? 502, {
        ...given.headers,
        ...(location && { location: location.replace(portal.origin, own) }),
      })
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    origins,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('a password form signs in through a filter that removes the Sec-Fetch headers', async ({ page, baseURL }) => {
  const filter = await startFilter(new URL(String(baseURL)))
  try {
    await page.goto(filter.url)
    await page.getByLabel(t('email')).fill(people.user)
    await page.getByRole('button', { name: t('continue'), exact: true }).click()
    await page.locator('input[name=password]').fill(demoPassword)
    await page.getByRole('button', { name: t('signIn'), exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
    expect(filter.origins).toEqual([filter.url])
  } finally {
    await filter.stop()
  }
})

test('a password form signs in at a plain host name of an office', async ({ playwright }, { project }) => {
  test.slow()
  const port = await freePort()
  const baseUrl = `http://portal.office.example:${port}`
  const portal = await startPortal({ PORT: String(port), BASE_URL: baseUrl })
  const { launchOptions } = project.use
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [...(launchOptions?.args ?? []), '--host-resolver-rules=MAP portal.office.example 127.0.0.1'],
  })
  try {
    const page = await browser.newPage({ locale: 'sv-SE' })
    await page.goto(baseUrl)
    await page.getByLabel(t('email')).fill(people.user)
    await page.getByRole('button', { name: t('continue'), exact: true }).click()
    await page.locator('input[name=password]').fill(demoPassword)
    const posted = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/login'))
    await page.getByRole('button', { name: t('signIn'), exact: true }).click()
    const headers = await (await posted).allHeaders()
    expect([headers.origin, headers['sec-fetch-site']]).toEqual([baseUrl, undefined])
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Emil' }) })).toBeVisible()
  } finally {
    await browser.close()
    await portal.stop()
  }
})
