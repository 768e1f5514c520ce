import { afterAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { serveProvider, signInThere } from '#test/company-oidc/foreign-provider.ts'
import { listen } from '#test/company-oidc/listen.ts'
import { askProvider, connectProvider, createProof, redeemAnswer } from './company-provider.ts'

const redirectUri = 'http://localhost/company-oidc/1/callback'
const client = { clientId: 'portal', credential: 'a-secret-of-the-company-with-32-bytes' }

const outgoing = createOutgoing({ log: createLog('silent'), production: false, allow: [] })
const setting = { outgoing, production: false }

const open: (() => void)[] = [() => void outgoing.close()]
afterAll(() => {
  for (const close of open) close()
})
test('a provider that we did not write signs a person in once', async () => {
  const at = await listen()
  open.push(at.close)
  await serveProvider(at, { redirectUri, clientSecret: client.credential })
  const provider = await connectProvider(setting, { issuer: at.issuer, ...client })
  const asked = { state: 'state-of-this-request', ...createProof() }
  const url = await askProvider(provider, { redirectUri, ...asked, email: 'eva@acme.se' })
  const answer = await signInThere(url, redirectUri, 'eva')
  expect(await redeemAnswer(provider, answer, asked)).toMatchObject({ sub: 'eva' })
  await expect(redeemAnswer(provider, answer, asked)).rejects.toThrow()
})
