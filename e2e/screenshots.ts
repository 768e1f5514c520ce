// `npm run screenshots`: takes the pictures of the README from a fresh demo. Run it after a change that they would show.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import type { MessageKey } from '#contract/message-key.ts'
import english from '../locales/en/translation.json' with { type: 'json' }
import { startPortal } from './portal-server.ts'
import { signInByRequest } from './sign-in-by-request.ts'

const folder = join(import.meta.dirname, '..', 'docs', 'pictures')
const quality = 0.82
const t = (key: MessageKey) => english[key]

interface Picture {
  name: string
  /** Who looks. */
  email: string
  look?: BrowserContextOptions
  /** Goes to what is shown. */
  show: (page: Page) => Promise<void>
}

const people = [
  'Email;First name;Last name;Services;Role',
  'lena.strand@example.com;Lena;Strand;Journal|Bokning;',
  'omar.haddad@example.com;Omar;Haddad;Journal;Admin',
  'lena.strand@example.com;Lena;Strand;;',
  'user@nordvik.example;Emil;Vikström;;',
  'jonas.lind@example.com;Jonas;Lind;Jurnal;',
].join('\n')

const pictures: readonly Picture[] = [
  {
    name: 'launcher',
    email: 'admin@alvdal.example',
    // As far as the services by category.
    look: { viewport: { width: 1280, height: 1080 } },
    show: async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Journal' }).first().waitFor()
    },
  },
  {
    name: 'home',
    email: 'super@vestibule.example',
    // Tall enough for the charts below what needs doing.
    look: { viewport: { width: 1280, height: 1640 } },
    show: async (page) => {
      await page.goto('/')
      await page.locator('#main h1').waitFor()
    },
  },
  {
    name: 'user-dialog',
    email: 'admin@alvdal.example',
    show: async (page) => {
      await page.goto('/user-administration?searchQuery=ellen')
      await page.getByRole('rowheader').getByRole('link').first().click()
      await page.getByRole('tab', { name: t('permissions') }).click()
    },
  },
  {
    name: 'import',
    email: 'admin@nordvik.example',
    show: async (page) => {
      await page.goto('/user-administration')
      await page.getByRole('link', { name: t('inviteUser') }).click()
      await page
        .getByRole('dialog')
        .getByRole('link', { name: t('inviteMany') })
        .click()
      await page.getByRole('textbox', { name: t('importList') }).fill(people)
      await page
        .getByRole('main')
        .getByRole('button', { name: t('importCheck') })
        .click()
      await page.getByRole('table', { name: t('importPreview') }).waitFor()
      await page.getByRole('heading', { name: t('importPreview') }).evaluate((heading) => heading.scrollIntoView())
    },
  },
  {
    name: 'phone',
    email: 'admin@alvdal.example',
    look: { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
    show: async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Journal' }).first().waitFor()
    },
  },
]

async function take(browser: Browser, baseURL: string, { name, email, look, show }: Picture): Promise<void> {
  const request = await signInByRequest(baseURL, email)
  const context = await browser.newContext({
    baseURL,
    locale: 'en-GB',
    timezoneId: 'Europe/Stockholm',
    reducedMotion: 'reduce',
    deviceScaleFactor: 2,
    viewport: { width: 1280, height: 800 },
    ...look,
  })
  const { cookies } = await request.storageState()
  await context.addCookies(cookies.filter((cookie) => cookie.name !== 'language'))
  await request.dispose()
  const page = await context.newPage()
  // The font is optional: a page that has to wait for it does without. The second page has it.
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  await show(page)
  await page.waitForLoadState('networkidle')
  const picture = await asWebP(browser, await page.screenshot({ caret: 'hide' }))
  await writeFile(join(folder, `${name}.webp`), picture)
  console.log(`docs/pictures/${name}.webp  ${Math.round(picture.length / 1024)} KB`)
  await context.close()
}

/** The browser compresses: a third of the PNG's size, and nothing to install. */
async function asWebP(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage()
  const address = await page.evaluate(
    async ([data, level]) => {
      const image = new Image()
      image.src = `data:image/png;base64,${data}`
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', level)
    },
    [png.toString('base64'), quality] as const,
  )
  await page.close()
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

const portal = await startPortal({ COMPANY_NAME: 'Vestibule' })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' })
try {
  await mkdir(folder, { recursive: true })
  for (const picture of pictures) await take(browser, portal.url, picture)
} finally {
  await browser.close()
  await portal.stop()
}
