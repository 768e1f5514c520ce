import type { Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { api } from './api.ts'
import { expect, getUp } from './fixtures.ts'
import { test, tokenIn } from './invited.ts'
import { demoPassword, people } from './people.ts'
import { t } from './texts.ts'

/** What the page is drawn in. */
const hueOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--brand-h').trim())
const isDrawn = (page: Page) =>
  expect
    .poll(() =>
      page.locator('picture img').evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
    )
    .toBe(true)

/** A PNG of 240 × 40 pixels, drawn by the browser. */
const picture = (page: Page) =>
  page.evaluate(async () => {
    const canvas = new OffscreenCanvas(240, 40)
    canvas.getContext('2d')?.fillRect(8, 8, 224, 24)
    return [...new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())]
  })

test('an organisation gets its colour and logo, which its sign-in, its host name and its launcher show', async ({
  page,
  signIn,
  baseURL,
  superUser,
  invite,
}) => {
  await signIn(people.superUser)
  const { organizationId } = await api(page, 'POST', '/api/organizations', { name: 'Strandö AB', loginMethod: 'local' })
  const { email, path } = await invite('Strandö AB')
  const passwords = { password: demoPassword, confirmNewPassword: demoPassword }
  const saga = { email, firstName: 'Saga', lastName: 'Strand', loginMethod: 'local', ...passwords }
  await superUser.post('/api/invites/accept', { data: { ...saga, token: tokenIn(path) } })

  await test.step('in the settings', async () => {
    await page.goto(`/organization-brand/${organizationId}`)
    await page.getByRole('radio', { name: t('hueName', { colour: t('huePink'), hue: '340' }) }).check({ force: true })
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'logo.png',
        mimeType: 'image/png',
        buffer: Buffer.from(await picture(page)),
      })
    await expect(page.getByRole('img', { name: 'Strandö AB' })).toHaveCount(2)
    await expectAccessible(page)
    await page
      .getByRole('button', { name: t('save') })
      .first()
      .click()
    await expect(page.getByText(t('brandSaved'))).toBeVisible()
    await page
      .getByRole('textbox', { name: t('signInHost') })
      .last()
      .fill('strando.localhost')
    await page
      .getByRole('button', { name: t('save') })
      .last()
      .click()
    await expect(page.getByText(t('signInHostSaved'))).toBeVisible()
  })
  const { companyName = '' } = await api(page, 'GET', '/api/portal')
  const { signInLink } = await api(page, 'GET', `/api/organizations/${organizationId}/brand`)

  await test.step('at its sign-in, by the link, on each step', async () => {
    await getUp(page)
    await page.context().clearCookies()
    await page.goto(String(signInLink))
    await expect(page.getByRole('img', { name: 'Strandö AB' })).toBeVisible()
    await isDrawn(page)
    expect(await hueOf(page)).toBe('340')
    await page.locator('form[novalidate]').waitFor()
    await page.getByRole('textbox', { name: t('email') }).fill(email)
    await page.getByRole('button', { name: t('continue') }).click()
    await expect(page.locator('input[name=password]')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Strandö AB' })).toBeVisible()
    expect(await hueOf(page)).toBe('340')
    await expect(page.getByRole('contentinfo')).toContainText(companyName)
  })

  await test.step('in the launcher of its people, from the first byte', async () => {
    await page.locator('input[name=password]').fill(demoPassword)
    await page.getByRole('button', { name: t('signIn') }).click()
    await expect(page.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Saga' }) })).toBeVisible()
    await isDrawn(page)
    expect(await hueOf(page)).toBe('340')
    expect(await (await page.request.get('/')).text()).toMatch(/<html[^>]* data-hue="340"/)
    await expectAccessible(page)
  })

  await test.step('by its host name, which leads to the one sign-in', async () => {
    const { port, host } = new URL(baseURL ?? '')
    await getUp(page)
    await page.context().clearCookies()
    await page.goto(`http://strando.localhost:${port}/`)
    await expect(page.getByRole('img', { name: 'Strandö AB' })).toBeVisible()
    expect(new URL(page.url()).host).toBe(host)
  })

  await superUser.delete(`/api/organizations/${organizationId}?force=true`)
})
