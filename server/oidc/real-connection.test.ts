import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let origin: string

beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  portal = await testApp({ BASE_URL: origin, PORT: String(port) })
  await portal.app.listen({ port, host: '127.0.0.1' })
})
afterAll(() => portal.close())

const tokenRequest = (body: string | ReadableStream) =>
  fetch(`${origin}/oidc/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit)

test('the provider reads its bodies itself, with a length or in pieces', async () => {
  const form = 'grant_type=authorization_code&client_id=nobody&code=x'
  const pieces = new ReadableStream({
    start(stream) {
      for (const piece of form.match(/.{1,9}/g) ?? []) stream.enqueue(new TextEncoder().encode(piece))
      stream.close()
    },
  })
  for (const body of [form, pieces]) {
    const answer = await tokenRequest(body)
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'invalid_client' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('a flood in pieces ends in a refusal, and the server goes on', async () => {
  const piece = new TextEncoder().encode('x'.repeat(8192))
  let sent = 0
  const flood = new ReadableStream({
    pull(stream) {
      sent += piece.length
      if (sent > 2_000_000) stream.close()
      else stream.enqueue(piece)
    },
  })
  const status = await tokenRequest(flood).then(
    (answer) => answer.status,
    () => 'cut off',
  )
  expect([400, 413, 'cut off']).toContain(status)
  expect((await fetch(`${origin}/oidc/.well-known/openid-configuration`)).status).toBe(200)
})
