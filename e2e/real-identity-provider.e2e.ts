import type { Page } from '@playwright/test'
import { test as base, expect } from './fixtures.ts'
import { openPortalDatabase, type PortalDatabase } from './portal-database.ts'
import { type PortalServer, startPortal } from './portal-server.ts'
import { missing, type SimpleSamlPhp, startSimpleSamlPhp } from './simplesamlphp.ts'

const people = { asa: { mail: 'user@fjallra.example', displayName: 'Åsa Öst ÅÄÖ éñ' } }

interface Company {
  portal: PortalServer
  database: PortalDatabase
  /** The settings of Fjällrå AB at that portal. */
  metadata: () => Promise<string>
}

// biome-ignore lint/complexity/noBannedTypes: Playwright's way to say that only the worker gets a fixture
const test = base.extend<{}, { company: Company }>({
  company: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from its first parameter
    async ({}, use) => {
      const portal = await startPortal()
      const database = await openPortalDatabase(portal.folder)
      const { id } = await database.samlConfigOf('fjallra.example')
      const metadata = async () => (await fetch(`${portal.url}/saml/${id}/metadata`)).text()
      await use({ portal, database, metadata })
      await database.close()
      await portal.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ company }, use) => use(company.portal.url),
})

// An independent implementation: our own identity provider and service provider could share a mistake.
test.skip(missing !== undefined, missing)
// All tests share one portal and one configuration.
test.describe.configure({ mode: 'default' })

interface Meeting {
  signs?: { response: boolean; assertion: boolean }
  requestSigningEnabled?: boolean
  byOid?: boolean
  encrypts?: 'AES128_CBC' | 'AES256_GCM'
  singleLogout?: boolean
}

/** Exchanges the metadata, as operators do. */
async function withProvider(
  { database, metadata }: Company,
  {
    signs = { response: true, assertion: true },
    requestSigningEnabled = false,
    byOid = false,
    encrypts,
    singleLogout = false,
  }: Meeting,
  work: (provider: SimpleSamlPhp, signRequests: (signed: boolean) => Promise<void>) => Promise<void>,
) {
  const provider = await startSimpleSamlPhp({ people, signs, byOid, encrypts })
  try {
    const { url, entityId, certificate, logoutUrl } = provider
    const wants = { wantAssertionsSigned: signs.assertion, wantAuthnResponseSigned: signs.response }
    const signRequests = (signed: boolean) =>
      database.setSamlConfig('fjallra.example', {
        ...{ url, entityId, certificate, ...wants },
        requestSigningEnabled: signed,
        encryptionEnabled: encrypts !== undefined,
        ...(singleLogout && { logoutUrl }),
      })
    await signRequests(requestSigningEnabled)
    await provider.trust(await metadata())
    await work(provider, signRequests)
  } finally {
    await provider.stop()
  }
}

async function goToProvider(page: Page) {
  await page.goto('/account')
  await page.locator('form[novalidate]').waitFor()
  await page.locator('input[type=email]').fill(people.asa.mail)
  await page.keyboard.press('Enter')
}

async function signInThere(page: Page) {
  await page.locator('input[name=username]').fill('asa')
  await page.locator('input[name=password]').fill('asa'.split('').reverse().join(''))
  await page.keyboard.press('Enter')
}

const ownAddress = (page: Page) => page.evaluate(async () => (await (await fetch('/api/me')).json()).email)

test('SimpleSAMLphp validates our metadata and imports it', async ({ company }) => {
  await withProvider(company, { requestSigningEnabled: true }, async (provider) => {
    const understood = await provider.trust(await company.metadata())
    expect(understood).toContain(`${company.portal.url}/saml/`)
    expect(understood).toMatch(/'Location' => '[^']+\/saml\/\d+\/acs'/)
    expect(understood).toContain("'Binding' => 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'")
    expect(understood).toMatch(/'X509Certificate' => '[^']{500,}'/)
  })
})

for (const [what, signs] of [
  ['the response and the assertion', { response: true, assertion: true }],
  ['the response alone', { response: true, assertion: false }],
  ['the assertion alone', { response: false, assertion: true }],
] as const)
  test(`a person with å in the name signs in with SimpleSAMLphp, which signs ${what}`, async ({ page, company }) => {
    await withProvider(company, { signs }, async () => {
      await goToProvider(page)
      await signInThere(page)
      await page.waitForURL('**/account')
      expect(await ownAddress(page)).toBe(people.asa.mail)
    })
  })

test('a person signs in with SimpleSAMLphp, with OID attributes and a transient name ID', async ({ page, company }) => {
  await withProvider(company, { byOid: true }, async () => {
    await goToProvider(page)
    await signInThere(page)
    await page.waitForURL('**/account')
    expect(await ownAddress(page)).toBe(people.asa.mail)
  })
})

test('a person signs in with an assertion that SimpleSAMLphp encrypts by AES-GCM, and not by AES-CBC', async ({
  page,
  company,
}) => {
  await withProvider(company, { encrypts: 'AES128_CBC' }, async () => {
    await goToProvider(page)
    await signInThere(page)
    await page.waitForURL(/error=samlFailed/)
  })
  await withProvider(company, { encrypts: 'AES256_GCM' }, async () => {
    await goToProvider(page)
    await signInThere(page)
    await page.waitForURL('**/account')
    expect(await ownAddress(page)).toBe(people.asa.mail)
  })
})

test('SimpleSAMLphp verifies the signature of our request, and rejects an unsigned one', async ({ page, company }) => {
  await withProvider(company, { requestSigningEnabled: true }, async (provider, signRequests) => {
    // It trusts our metadata, which says that every request is signed.
    await signRequests(false)
    await goToProvider(page)
    await expect(page.locator('body')).toContainText('SimpleSAML')
    await expect(page.locator('input[name=username]')).toHaveCount(0)
    expect(await provider.log()).toContain('no signature found on message')
    await signRequests(true)
    await goToProvider(page)
    await signInThere(page)
    await page.waitForURL('**/account')
    expect(await ownAddress(page)).toBe(people.asa.mail)
    expect(await provider.log()).toMatch(/Validation with key #\d+ succeeded/)
  })
})

test('a sign-out here signs out at SimpleSAMLphp, and one there signs out here; both verify the signatures', async ({
  page,
  company,
}) => {
  await withProvider(company, { singleLogout: true }, async (provider) => {
    const signInAgain = async () => {
      await goToProvider(page)
      // It asks again: nobody is signed in there.
      await signInThere(page)
      await page.waitForURL('**/account')
    }
    await signInAgain()
    await page.goto('/logout')
    await page.waitForURL(/\/signed-out$/)
    expect(await provider.log()).toContain('LogoutRequest')
    expect(await provider.log()).toMatch(/Validation with key #\d+ succeeded/)
    await signInAgain()
    await page.goto(provider.signOutPage)
    await page.waitForURL('**/logout.php')
    await page.goto('/')
    await page.waitForURL(/\/interaction\//)
    await signInAgain()
  })
})

test('after a wrong password SimpleSAMLphp asks again', async ({ page, company }) => {
  await withProvider(company, {}, async () => {
    await goToProvider(page)
    await page.locator('input[name=username]').fill('asa')
    await page.locator('input[name=password]').fill('wrong')
    await page.keyboard.press('Enter')
    // The form looks the same; only the second page has an error icon.
    await expect(page.locator('.erroricon')).toBeVisible()
    await signInThere(page)
    await page.waitForURL('**/account')
    expect(await ownAddress(page)).toBe(people.asa.mail)
  })
})
