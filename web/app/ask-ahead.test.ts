import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { launcher } from '#contract/launcher.ts'
import { session } from '#contract/session.ts'

const person = 'a0000000-0000-7000-8000-000000000001'
const first = 'b0000000-0000-7000-8000-000000000001'
const second = 'b0000000-0000-7000-8000-000000000002'
const address = (url: string, params: Record<string, string>) =>
  url.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
const me = session.me.url
const organizations = address(launcher.organizations.url, { id: person })
const adminServices = address(launcher.adminServices.url, { id: person })
const servicesIn = (organizationId: string) => address(launcher.services.url, { accountId: person, organizationId })

/** A browser at an address, before the app is there: what is asked, and what is said to it. */
function arriving({ at = '/', stored = null as string | null, status = 200, passwordMustChange = false } = {}) {
  const answers: Record<string, unknown> = {
    [me]: { accountId: person, passwordMustChange },
    [organizations]: [{ organizationId: first }, { organizationId: second }],
    [adminServices]: [],
    [servicesIn(first)]: ['of the first'],
    [servicesIn(second)]: ['of the second'],
  }
  const asked: string[] = []
  vi.stubGlobal('location', { pathname: at })
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'currentOrganizationId' ? stored : null) })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return Response.json(answers[url], { status })
  })
  return asked
}
/** Until there is nothing more to ask. */
async function run() {
  const early = await import('#web/lib/early-answers.ts')
  const { askAboutPerson } = await import('./ask-ahead.ts')
  await askAboutPerson().catch(() => undefined)
  for (let turn = 0; turn < 5; turn++) await new Promise((next) => setTimeout(next))
  return early
}

beforeEach(() => void vi.resetModules())
afterEach(() => vi.unstubAllGlobals())

test('the launcher of somebody who comes for the first time finds its questions answered', async () => {
  const asked = arriving()
  const { takeEarlyAnswer } = await run()
  expect(asked).toEqual([me, adminServices, organizations, servicesIn(first)])
  expect(await (await takeEarlyAnswer(me))?.json()).toMatchObject({ accountId: person })
  expect(await (await takeEarlyAnswer(servicesIn(first)))?.json()).toEqual(['of the first'])
})

test('where an organisation was chosen, its services are asked for at once, and only once', async () => {
  const asked = arriving({ stored: second })
  await run()
  expect(asked).toEqual([me, servicesIn(second), adminServices, organizations])
})

test('services are asked for on the launcher alone', async () => {
  const asked = arriving({ at: '/users', stored: second })
  await run()
  expect(asked).toEqual([me, adminServices, organizations])
})

test('nothing more is asked for somebody without a session, or whose password has to be changed first', async () => {
  const refused = arriving({ status: 401 })
  const { takeEarlyAnswer } = await run()
  expect(refused).toEqual([me])
  expect(await takeEarlyAnswer(me)).toBeUndefined()

  vi.resetModules()
  const bound = arriving({ passwordMustChange: true })
  await run()
  expect(bound).toEqual([me])
})

test('an answer is for one use, and none is left once the app has asked all its questions', async () => {
  arriving()
  const { takeEarlyAnswer, endEarlyAnswers } = await run()
  expect(await takeEarlyAnswer(organizations)).toBeDefined()
  expect(await takeEarlyAnswer(organizations)).toBeUndefined()
  endEarlyAnswers()
  expect(await takeEarlyAnswer(adminServices)).toBeUndefined()
})

test('what the app has asked by itself is not asked a second time', async () => {
  const asked = arriving()
  const { takeEarlyAnswer } = await import('#web/lib/early-answers.ts')
  expect(await takeEarlyAnswer(organizations)).toBeUndefined()
  await run()
  expect(asked).toEqual([me, adminServices])
})
