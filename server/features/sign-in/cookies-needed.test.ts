import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { company } from '#test/saml/company.ts'
import { openSignIn, submitPassword } from '#test/sign-in.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await testApp()
})
afterAll(() => portal.close())

const interactions = async () =>
  Number(
    (
      await portal.system.db
        .selectFrom('providerArtifacts')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('model', '=', 'Interaction')
        .executeTakeFirstOrThrow()
    ).count,
  )

/** A browser that keeps no cookies follows redirects. */
async function withoutCookies(start: string, language = 'en') {
  let url = start
  for (let step = 0; step < 12; step++) {
    const answer = await portal.browser().get(url, { accept: 'text/html', 'accept-language': language })
    if (answer.statusCode !== 303) return { status: answer.statusCode, body: answer.body, steps: step }
    const target = new URL(String(answer.headers.location), 'http://portal.test')
    if (target.origin !== 'http://portal.test') throw new Error(`led to ${target}`)
    url = target.pathname + target.search
  }
  throw new Error('led in circles')
}

describe('a browser without cookies', () => {
  test.each([
    ['sv', 'kakor'],
    ['en', 'cookies'],
    ['fi', 'evästeitä'],
    ['fr', 'cookies'],
  ])('is told so in its language (%s), and leaves one sign-in behind', async (language, word) => {
    const before = await interactions()
    const { status, body } = await withoutCookies('/login', language)
    expect([status, body.includes(word)]).toEqual([400, true])
    expect((await interactions()) - before).toBe(1)
  })

  test('is told so at every address where a sign-in begins or goes on', async () => {
    const { configId } = await company(portal)
    const { uid } = await openSignIn(portal.browser())
    for (const start of [
      `/login/company/${configId}`,
      '/login?returnTo=/account',
      `/interaction/${uid}`,
      `/interaction/${uid}/login?email=eva@acme.example`,
      `/interaction/${uid}/saml?email=eva@acme.example`,
      `/interaction/${uid}/saml/complete?ticket=x`,
    ])
      expect([start, (await withoutCookies(start)).status]).toEqual([start, 400])
  })
})

test('a link to the sign-in of another browser begins one here', async () => {
  const { page } = await openSignIn(portal.browser())
  const browser = portal.browser()
  const { response, url } = await browser.follow(await browser.get(page, { accept: 'text/html' }))
  expect([response.statusCode, url]).toEqual([200, expect.stringMatching(/^\/interaction\/[\w-]+$/)])
})

test('a right password for a sign-in that is over leads to a new one that says why', async () => {
  const person = await portal.person({})
  const browser = portal.browser()
  const { page } = await openSignIn(browser, '/login?returnTo=/account')
  portal.advance(3601)
  // A browser drops the cookie of the sign-in by then.
  for (const name of ['interaction', 'interaction.sig']) browser.setCookie(name, '', page)
  const { response, url } = await browser.follow(await submitPassword(browser, page, person.email))
  expect(response.statusCode).toBe(200)
  expect(Object.fromEntries(new URL(url, 'http://portal.test').searchParams)).toMatchObject({
    email: person.email,
    error: 'signInOver',
  })
})
