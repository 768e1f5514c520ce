import type { Page } from '@playwright/test'
import { emailTemplateLabels, emailTemplateTypes } from '#contract/email-templates/email-templates.ts'
import english from '../locales/en/translation.json' with { type: 'json' }
import { expectAccessible, expectNoSideways } from './accessibility.ts'
import { expect, narrow, test } from './fixtures.ts'
import { mailsTo } from './outbox.ts'
import { people } from './people.ts'
import { t, titled } from './texts.ts'

const templates = (page: Page) => page.getByRole('combobox', { name: t('emailTemplate') })
const frame = (page: Page) => page.locator('iframe')
const mail = (page: Page) => page.frameLocator('iframe')
const subject = (page: Page) => page.getByRole('main').getByRole('strong')
const showAs = (page: Page, name: string) => page.getByRole('radio', { name })

test.describe('a super user', () => {
  test.beforeEach(async ({ signIn }) => signIn(people.superUser))

  test('reads each template as it is mailed, and finds it again at its address', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: t('administration') }).click()
    await page.getByRole('menuitem', { name: t('emailTemplates') }).click()
    await expect(page).toHaveURL('/email-templates')
    await expect(page).toHaveTitle(titled(t('emailTemplates')))
    await expect(templates(page)).toHaveValue('user-invite')
    for (const type of emailTemplateTypes) {
      await templates(page).selectOption(type)
      const name = t(emailTemplateLabels[type])
      await expect(frame(page)).toHaveAttribute('title', t('templatePreviewOf', { name }))
      await expect(frame(page)).toHaveAttribute('sandbox', '')
      await expect(mail(page).getByRole('article')).toHaveAccessibleName(await subject(page).innerText())
    }
    await expect(page).toHaveURL('/email-templates?type=login-code')
    await expect(mail(page).getByText('123456')).toBeVisible()
    await expectAccessible(page)
    await page.reload()
    await expect(templates(page)).toHaveValue('login-code')
    await expect(mail(page).getByText('123456')).toBeVisible()
    // The frames left nothing in the history.
    await page.goBack()
    await expect(page).toHaveURL('/')
  })

  test('changes a text, sees what it becomes, publishes it, and goes back to an older one', { tag: '@main' }, async ({
    page,
  }) => {
    await page.goto('/email-templates?type=notify-last-active&language=fr&edit=true')
    const body = page.getByRole('textbox', { name: t('templateBody'), exact: true })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const publish = async (word: string, { saved }: { saved: boolean }) => {
      await body.fill(`**${word}** {{day}}\n\n{{button}}`)
      await expect(mail(page).locator('strong').first()).toHaveText(word)
      if (saved) await press(t('templateSaveDraft'))
      await press(t('templatePublish'))
      await expect(page.getByText(t('templateStatePublished'))).toBeVisible()
    }
    await expect(mail(page).getByRole('article')).toBeVisible()
    await body.fill('<b>Bonjour</b> {{nobody}}')
    await press(t('templateSaveDraft'))
    await expect(page.getByText(t('templateHtmlRefused')).first()).toBeVisible()
    // Nothing half under the bar.
    await page.evaluate(() => scrollTo(0, 0))
    await expectAccessible(page)
    const versions = page.getByRole('region', { name: t('templateVersions') })
    await publish('Bonjour', { saved: true })
    await expect(versions.locator('summary')).toHaveCount(1)
    await publish('Salut', { saved: false })
    await expect(versions.locator('summary')).toHaveCount(2)
    await versions.locator('summary').last().click()
    await expect(versions.locator('ins, del').first()).toBeVisible()
    await versions
      .getByRole('button', { name: t('templateRestore') })
      .last()
      .click()
    await expect(mail(page).locator('strong').first()).toHaveText('Bonjour')
    await press(t('templateUseInherited'))
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('templateUseInherited') })
      .click()
    await expect(page.getByText(t('templateStateInherited')).first()).toBeVisible()
    await page.setViewportSize(narrow)
    await expectNoSideways(page)
    await expectAccessible(page)
  })

  test('sees another language, the width of a phone and the plain text, and gets a test mail', async ({
    page,
    request,
  }) => {
    await test.step('another language, the width of a phone, and the plain text', async () => {
      await page.goto('/email-templates?type=login-code&view=evil&language=de')
      await expect(subject(page)).toHaveText(t('mailCodeSubject'))
      const width = async () => (await frame(page).boundingBox())?.width
      expect(await width()).toBe(640)
      await page.getByRole('combobox', { name: t('language') }).selectOption('en')
      await expect(subject(page)).toHaveText(english.mailCodeSubject)
      await expect(mail(page).getByText(english.mailCodeEnter)).toBeVisible()
      await showAs(page, t('templateViewPhone')).check()
      await expect.poll(width).toBe(360)
      await expect(page).toHaveURL('/email-templates?type=login-code&language=en&view=phone')
      await showAs(page, t('templateViewText')).check()
      await expect(page.locator('pre')).toContainText(english.mailCodeEnter)
      await expect(frame(page)).toHaveCount(0)
      await expectAccessible(page)
      await page.reload()
      await expect(showAs(page, t('templateViewText'))).toBeChecked()
      await expect(page.locator('pre')).toContainText(english.mailCodeEnter)
    })
    await test.step('a test mail', async () => {
      await page.goto('/email-templates?type=notify-last-active&language=en')
      const before = (await mailsTo(request, people.superUser)).length
      await page.getByRole('button', { name: t('templateSendTest') }).click()
      await expect(page.getByText(t('templateTestSent', { email: people.superUser }))).toBeVisible()
      await expect.poll(async () => (await mailsTo(request, people.superUser)).length).toBeGreaterThan(before)
      const [newest = ''] = await mailsTo(request, people.superUser)
      expect(newest).toContain((await subject(page).innerText()).trim())
    })
    await test.step('on a narrow screen', async () => {
      await page.setViewportSize(narrow)
      await page.goto('/email-templates?type=notify-organization-admin')
      await expect(mail(page).getByRole('article')).toBeVisible()
      await expectNoSideways(page)
      await expectAccessible(page)
    })
  })

  test('is safe from a script in a template, tries again what could not be loaded, and sends herself a mail past the queue', async ({
    page,
  }) => {
    await test.step('a script in a template, even without the policy of the mail', async () => {
      await page.route('**/api/email-templates/user-invite?*', async (route) => {
        const response = await route.fetch()
        const { 'content-security-policy': _, ...headers } = response.headers()
        const script = `<script>document.body.append('ran'); parent.document.title = 'reached'</script>`
        const body = (await response.text()).replace('</body>', `<p>end of mail</p>${script}</body>`)
        await route.fulfill({ status: 200, headers, body })
      })
      await page.goto('/email-templates')
      await expect(mail(page).getByText('end of mail')).toBeVisible()
      await expect(mail(page).getByText('ran', { exact: true })).toHaveCount(0)
      await expect(page).toHaveTitle(titled(t('emailTemplates')))
    })
    await test.step('a template that could not be loaded', async () => {
      const texts = '**/api/email-templates/*/text?*'
      await page.route(texts, (route) => route.fulfill({ status: 500, body: '{}' }))
      await page.goto('/email-templates')
      await expect(page.getByRole('button', { name: t('tryAgain') })).toBeVisible()
      await page.unroute(texts)
      await page.getByRole('button', { name: t('tryAgain') }).click()
      await expect(mail(page).getByRole('article')).toBeVisible()
    })
    await test.step('a mail from the page System, past the queue', async () => {
      await page.goto('/system')
      // The demo has a certificate that ends soon: the verdict at the top leads to it.
      await page.getByRole('link', { name: /^Fjällrå: / }).click()
      await expect(page.getByRole('table', { name: t('systemCertificates') })).toBeInViewport()
      await page.getByRole('button', { name: t('sendTestMail') }).click()
      await expect(page.getByText(t('testMailSent', { email: people.superUser }))).toBeVisible()
      await expectAccessible(page)
      await expect
        .poll(async () => (await mailsTo(page.context().request, people.superUser))[0])
        .toContain(t('mailTest'))
    })
  })
})
