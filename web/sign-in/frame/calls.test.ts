import { afterEach, expect, test, vi } from 'vitest'
import { invitations } from '#contract/invitations/invitations.ts'
import { session } from '#contract/session/session.ts'
import { bankid } from '#contract/sign-in/bankid.ts'
import { signIn } from '#contract/sign-in/sign-in.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { bankIdAddress, cancelOrder, findOrder, startOrder } from '../bankid/bankid-calls.ts'
import { declineByLink, findAuthType, findSignedIn, joinByLink, verifyCredentials } from './calls.ts'

/** The network as the browser would see it: one answer, and what was asked for it. */
function answering(answer: () => Response | Promise<Response>) {
  const asked: Request[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(new Request(new URL(url, 'http://portal.test'), init))
    return answer()
  })
  return asked
}
const failing = (status: number, body: string, headers: Record<string, string> = {}) =>
  answering(() => new Response(body, { status, headers }))
const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

afterEach(() => vi.unstubAllGlobals())

test('the addresses and bodies are those of the contract', async () => {
  const asked = answering(() => Response.json({ authType: 'local', hasPhoneNumber: false }))
  await findAuthType('a+b@x.se')
  const [question] = asked
  const { pathname, searchParams } = new URL(question?.url ?? '')
  expect(`${question?.method} ${pathname}`).toBe(`${signIn.authType.method} ${signIn.authType.url}`)
  expect(signIn.authType.query?.parse(Object.fromEntries(searchParams))).toEqual({ email: 'a+b@x.se' })

  const sent = answering(() => new Response(null, { status: 204 }))
  await verifyCredentials({ email: 'a@x.se', password: 'secret' })
  const [check] = sent
  expect(`${check?.method} ${new URL(check?.url ?? '').pathname}`).toBe(
    `${signIn.verifyCredentials.method} ${signIn.verifyCredentials.url}`,
  )
  expect(check?.headers.get('content-type')).toBe('application/json')
  expect(signIn.verifyCredentials.input?.parse(await check?.json())).toEqual({ email: 'a@x.se', password: 'secret' })
})

test('the answers to an invitation go where the contract says, and who is there is asked for first', async () => {
  const asked = answering(() => Response.json({ email: 'a@x.se' }))
  expect(await findSignedIn()).toMatchObject({ email: 'a@x.se' })
  await joinByLink({ token: 'abc' })
  await declineByLink({ token: 'abc' })
  const { joinByLink: join, declineByLink: decline } = invitations
  expect(asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(
    [session.me, join, decline].map(({ method, url }) => `${method} ${url}`),
  )
  expect(join.input?.parse(await asked[1]?.json())).toEqual({ token: 'abc' })
  expect(decline.input?.parse(await asked[2]?.json())).toEqual({ token: 'abc' })
})

test('an answer that wants a sign-in means that no one is signed in, and no other answer does', async () => {
  failing(401, JSON.stringify({ message: 'signInRequired' }))
  expect(await findSignedIn()).toBeUndefined()
  failing(503, JSON.stringify({ message: 'temporarilyUnavailable' }))
  expect(await failure(findSignedIn())).toMatchObject({ message: 'temporarilyUnavailable' })
})

test("the addresses and bodies of BankID's calls are those of the contract", async () => {
  const state = {
    status: 'pending',
    message: 'rfa1',
    device: 'this',
    qrData: null,
    autoStartToken: null,
    phoneApp: null,
  }
  const of = (url: string) => url.replace('{uid}', 'a%2Fb').replace(':uid', 'a%2Fb')
  const asked = answering(() => Response.json(state))
  await startOrder('a/b', { email: 'a@x.se', device: 'this' })
  await findOrder('a/b', { opened: false })
  await findOrder('a/b', { opened: true })
  await cancelOrder('a/b')
  const urls = asked.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  expect(urls).toEqual(
    [bankid.start, bankid.state, bankid.state, bankid.cancel].map(({ method, url }) => `${method} ${of(url)}`),
  )
  expect(bankIdAddress('a/b')).toBe(of(bankid.complete.url))
  const query = (at: number) => Object.fromEntries(new URL(asked[at]?.url ?? '').searchParams)
  expect(bankid.state.query?.parse(query(1))).toEqual({})
  expect(bankid.state.query?.parse(query(2))).toEqual({ opened: 'yes' })
  expect(bankid.start.input?.parse(await asked[0]?.json())).toEqual({ email: 'a@x.se', device: 'this' })
  expect(bankid.cancel.input?.parse(await asked[3]?.json())).toEqual({})
})

test('a refusal says its reason and how long to wait', async () => {
  failing(429, JSON.stringify({ message: 'tooManyRequests', requestId: 'x' }), { 'retry-after': '40' })
  const error = await failure(findAuthType('a@x.se'))
  expect(error).toBeInstanceOf(ApiProblem)
  expect(error).toMatchObject({ message: 'tooManyRequests', retryAfter: 40 })
})

test('an answer in another shape is the general message', async () => {
  for (const body of ['<h1>Bad gateway</h1>', 'null', '{"message": 7}']) {
    failing(502, body)
    expect(await failure(findAuthType('a@x.se'))).toMatchObject({
      message: 'genericErrorMessage',
      retryAfter: undefined,
    })
  }
  failing(200, '{"authType": "lo')
  expect(await failure(findAuthType('a@x.se'))).toMatchObject({ message: 'genericErrorMessage' })
})

test('no answer at all is told as what it is', async () => {
  answering(() => Promise.reject(new TypeError('Failed to fetch')))
  expect(await failure(findAuthType('a@x.se'))).toMatchObject({ message: 'networkError' })
})
