import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { servicesOf } from '#test/service.ts'
import { type TestApp, testApp } from '#test/test-app.ts'

let portal: TestApp
let node: Awaited<ReturnType<TestApp['anotherNode']>>
let clientId: string
let assertionOf: (more?: object) => Promise<string>
beforeAll(async () => {
  portal = await testApp()
  node = await portal.anotherNode()
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] })
  const keyed = {
    kind: 'machine',
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks,
    secretSealed: null,
    redirectUris: [],
  }
  clientId = await servicesOf(portal).register(keyed)
  // The provider compares these times with the machine's.
  const now = Math.floor(Date.now() / 1000)
  const claims = () => ({
    iss: clientId,
    sub: clientId,
    aud: 'http://portal.test/oidc',
    jti: randomUUID(),
    iat: now,
    exp: now + 60,
  })
  assertionOf = (more) => new SignJWT({ ...claims(), ...more }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
})
afterAll(async () => {
  await node?.close()
  await portal?.close()
})

const tokenFor = async (assertion: string, at: Pick<TestApp, 'browser'> = portal) => {
  const answer = await at.browser().submit(
    '/oidc/token',
    {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    },
    { accept: 'application/json' },
  )
  return [answer.statusCode, answer.json().error]
}

test('one assertion of a client gives one token, however many ask with it at once on two nodes', async () => {
  const assertion = await assertionOf()
  const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => tokenFor(assertion, at % 2 ? node : portal)))
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
  expect(answers.filter(([status, error]) => status === 401 && error === 'invalid_client')).toHaveLength(9)
  expect(await tokenFor(assertion)).toEqual([401, 'invalid_client'])
  expect(await tokenFor(await assertionOf())).toEqual([200, undefined])
})

test('an assertion of an earlier one’s id is refused also where the request with the first failed', async () => {
  const jti = randomUUID()
  const submit = async (grant: string) => {
    const fields = {
      grant_type: grant,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertionOf({ jti }),
    }
    return (await portal.browser().submit('/oidc/token', fields, { accept: 'application/json' })).statusCode
  }
  expect(await submit('authorization_code')).toBe(400)
  expect(await submit('client_credentials')).toBe(401)
})

test.each([
  ['later than a day from now', 86_400 * 2],
  ['no time at all', 1e300],
])('an assertion that ends %s is refused, because its id would have to be kept as long', async (_, seconds) => {
  const exp = Math.floor(Date.now() / 1000) + seconds
  expect(await tokenFor(await assertionOf({ exp }))).toEqual([401, 'invalid_client'])
})
