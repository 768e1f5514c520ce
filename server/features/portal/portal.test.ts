import { afterEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
afterEach(() => portal.close())

const own = { PRIVACY_URL: 'https://company.example/privacy', ACCESSIBILITY_URL: 'https://company.example/a11y' }

test('anyone reads how personal data is handled, how long it is kept, and how accessible the portal is', async () => {
  portal = await testApp({ KEEP_INVITATIONS_DAYS: '31', AUDIT_MONTHS: '36' })
  const browser = portal.browser({ 'accept-language': 'en' })
  for (const path of ['/privacy', '/privacy/kept', '/accessibility']) {
    const { statusCode, headers } = await browser.get(path)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  }
  const { body } = await browser.get('/privacy/kept')
  expect(body).toContain('data-kept="7 7 31 90 14 365 730 7 30 36 12 3"')
  expect(body).toMatch(/Invitations that expired without an answer<\/th><td[^>]*>31 days<\/td>/)
  expect(body).toMatch(/The audit log: changes<\/th><td[^>]*>36 months<\/td>/)
  expect((await browser.get('/api/portal')).json()).toMatchObject({
    privacyUrl: '/privacy',
    accessibilityUrl: '/accessibility',
  })
})

test('an operator with pages of its own leads there, and still shows how long things are kept', async () => {
  portal = await testApp(own)
  const browser = portal.browser()
  expect((await browser.get('/api/portal')).json()).toMatchObject({
    privacyUrl: own.PRIVACY_URL,
    accessibilityUrl: own.ACCESSIBILITY_URL,
  })
  for (const [path, url] of [
    ['/privacy', own.PRIVACY_URL],
    ['/accessibility', own.ACCESSIBILITY_URL],
  ] as const) {
    const { statusCode, headers } = await browser.get(path)
    expect([statusCode, headers.location]).toEqual([302, url])
  }
  const { body } = await browser.get('/privacy/kept')
  for (const url of Object.values(own)) expect(body).toContain(`href="${url}"`)
})
