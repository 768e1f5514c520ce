import { expect, test } from 'vitest'
import { newClient } from '#contract/service-clients/client-form.ts'
import type { ServiceClient } from '#contract/service-clients/service-clients.ts'
import { secretPlaceholder, snippetsFor } from './snippets.ts'

const client: ServiceClient = {
  ...newClient,
  redirectUris: ['http://localhost:5801/callback'],
  clientId: 'journal-4f09ac',
  issuer: 'https://portal.example/oidc',
  discovery: 'https://portal.example/oidc/.well-known/openid-configuration',
  secret: null,
  previousSecret: null,
  version: 1,
}
const holds = (more: Partial<ServiceClient>) =>
  snippetsFor({ ...client, ...more }).map(({ text }) => text.includes(secretPlaceholder))

test('a program has a place for the secret where the client has one, and nowhere else', () => {
  expect(holds({ authentication: 'client_secret_post' })).toEqual(Array(6).fill(true))
  expect(holds({ kind: 'singlePage', authentication: 'none' })).toEqual(Array(6).fill(false))
  expect(holds({ authentication: 'private_key_jwt' })).toEqual([false])
  expect(holds({ kind: 'machine', redirectUris: [] })).toEqual([true])
  expect(holds({ kind: 'machine', redirectUris: [], authentication: 'private_key_jwt' })).toEqual([])
})
