import { fromBase32, stepAt, totp } from '../server/credentials/factors/totp.ts'
import { expectAccessible } from './accessibility.ts'
import { api } from './api.ts'
import { expect, test } from './fixtures.ts'
import { codeTo, mailsTo } from './outbox.ts'
import { demoPassword } from './people.ts'
import { t } from './texts.ts'

const codeOf = (secret: string) => totp(fromBase32(secret), stepAt(new Date()))

test('two admins help a person who has lost the app, who can stop it, and then adds a new one', async ({
  browser,
  database,
  request,
  sessionOf,
  baseURL,
}) => {
  // Three people, each in a browser of their own.
  test.slow()
  const mark = `${process.pid}.example`
  const team = { admins: [`rut.lag@${mark}`, `bo.lag@${mark}`], member: `siw.lag@${mark}` } as const
  const accountId = await database.addTeam({ name: 'Laget', ...team })
  const pageOf = async (email: string) => {
    const context = await browser.newContext({ baseURL: String(baseURL), locale: 'sv-SE' })
    await context.addCookies(await sessionOf(email))
    return context.newPage()
  }
  const person = await pageOf(team.member)
  const first = await pageOf(team.admins[0])
  const second = await pageOf(team.admins[1])
  const reason = 'Tappade telefonen, känd till rösten'
  const userPath = `/user-administration/${accountId}`

  await test.step('the person has an app', async () => {
    await api(person, 'POST', '/api/step-up/code', {})
    await api(person, 'POST', '/api/step-up/code/verify', { code: await codeTo(request, team.member) })
    const { secret = '', setup } = await api(person, 'POST', '/api/profile/app', {})
    await api(person, 'POST', '/api/profile/app/confirm', { setup, code: codeOf(secret) })
  })

  const ask = async () => {
    await first.goto(userPath)
    await first.getByRole('button', { name: t('recoverUser') }).click()
    const dialog = first.getByRole('dialog', { name: t('recoverUser') })
    await dialog.getByRole('button', { name: t('recoveryAsk') }).click()
    await expect(dialog.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByRole('textbox').fill(reason)
    await dialog.getByRole('button', { name: t('recoveryAsk') }).click()
    await expect(dialog).toBeHidden()
    await expect(first.getByRole('button', { name: t('recoveryUnderWay') })).toBeVisible()
  }
  await test.step('an admin asks, with a reason', ask)

  await test.step('the person reads it in a mail and on the own account, and stops it', async () => {
    await expect.poll(async () => (await mailsTo(request, team.member)).join()).toContain(reason)
    await person.goto('/account')
    const alert = person.getByRole('main').getByText(t('ownRecoveryTitle'))
    await expect(alert).toBeVisible()
    await expect(person.getByText(reason)).toBeVisible()
    await expectAccessible(person)
    await person.getByRole('button', { name: t('recoveryStop') }).click()
    await expect(alert).toBeHidden()
  })

  await test.step('asked once more, a second admin confirms, and proves more than a password', async () => {
    await ask()
    await first.getByRole('button', { name: t('recoveryUnderWay') }).click()
    await expect(first.getByText(t('recoveryWaitText'))).toBeVisible()
    await expect(first.getByRole('button', { name: t('recoveryConfirm') })).toHaveCount(0)
    await second.goto(userPath)
    await second.getByRole('button', { name: t('recoveryUnderWay') }).click()
    const dialog = second.getByRole('dialog', { name: t('recoveryUnderWay') })
    await expect(dialog.getByText(reason)).toBeVisible()
    await expectAccessible(second)
    await dialog.getByRole('button', { name: t('recoveryConfirm') }).click()
    const question = second.getByRole('dialog', { name: t('confirmItIsYou') })
    await question.getByRole('button', { name: t('sendCodeByEmail') }).click()
    await question.getByLabel(t('code'), { exact: true }).pressSequentially(await codeTo(request, team.admins[1]))
    await expect(second.getByText(t('recoveryDone'))).toBeVisible()
    await expect(second.getByRole('button', { name: t('recoveryUnderWay') })).toHaveCount(0)
    expect(await api(second, 'GET', '/api/me')).toMatchObject({ email: team.admins[1] })
  })

  await test.step('the person is signed out, signs in with a code by mail, and chooses before anything else', async () => {
    expect((await person.request.get('/api/me')).status()).toBe(401)
    // The code of the first step was sent less than half a minute ago.
    await database.forgetCodesSent()
    await person.goto('/')
    await person.locator('form[novalidate]').waitFor()
    await person.locator('input[type=email]').fill(team.member)
    await person.keyboard.press('Enter')
    await person.waitForURL(/\/interaction\/[^/]+\/login/)
    await person.locator('form[novalidate]').waitFor()
    await person.locator('input[name=password]').fill(demoPassword)
    await person.keyboard.press('Enter')
    const code = person.getByLabel(t('code'), { exact: true })
    await expect(code).toBeFocused()
    await code.pressSequentially(await codeTo(request, team.member))
    await expect(person.getByRole('heading', { level: 1, name: t('secondFactorRequired') })).toBeVisible()
    await expectAccessible(person)
    await person.getByRole('button', { name: t('addApp') }).click()
    const dialog = person.getByRole('dialog', { name: t('addAppTitle') })
    const key = (await dialog.getByLabel(t('addAppKey')).inputValue()).replaceAll(' ', '')
    await code.pressSequentially(codeOf(key))
    await expect(person.getByRole('heading', { level: 1, name: t('greetingName', { name: 'Siw' }) })).toBeVisible()
  })
  for (const page of [person, first, second]) await page.context().close()
})
