import { generateKeyPairSync } from 'node:crypto'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import pg from 'pg'
import { freePort } from '#test/free-port.ts'
import { challenge, redirectUri, scope } from './service-client.ts'

/**
 * The baseline for what services use: oidc-provider alone, with the signing algorithm of the portal. Everything is in memory,
 * but for what an exchange of a code cannot do without: one read of the code, and one insert of the two tokens. Runs as a
 * separate process; asked for `{codes}`, it makes so many and sends them.
 */
const stored = new Map<string, AdapterPayload>()
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL ?? '', max: 10 })
await pool.query(`
  drop table if exists bench_artifacts; create table bench_artifacts (id text primary key, payload jsonb not null)`)
const waiting: [string, AdapterPayload][] = []
const insert = (rows: readonly [string, AdapterPayload][]) =>
  pool.query({
    name: 'insert',
    text: 'insert into bench_artifacts select * from unnest((select $1::text[]), (select $2::jsonb[]))',
    values: [rows.map(([id]) => id), rows.map(([, payload]) => JSON.stringify(payload))],
  })
const read = async (id: string): Promise<AdapterPayload | undefined> => {
  const text = 'select payload from bench_artifacts where id = $1'
  const { rows } = await pool.query<{ payload: AdapterPayload }>({ name: 'read', text, values: [id] })
  return rows[0]?.payload
}
class MemoryAdapter implements Adapter {
  model: string
  constructor(model: string) {
    this.model = model
  }
  key = (id: string) => `${this.model} ${id}`
  upsert = async (id: string, payload: AdapterPayload) => {
    stored.set(this.key(id), payload)
    if (this.model === 'AuthorizationCode') await insert([[id, payload]])
    // The provider saves the access token first.
    if (this.model === 'AccessToken') waiting.push([id, payload])
    if (this.model === 'RefreshToken') await insert([[id, payload], ...waiting.splice(0, 1)])
  }
  find = async (id: string) => (this.model === 'AuthorizationCode' ? read(id) : stored.get(this.key(id)))
  destroy = async (id: string) => void stored.delete(this.key(id))
  consume = async (id: string) => void Object.assign(stored.get(this.key(id)) ?? {}, { consumed: 1 })
  revokeByGrantId = async () => {}
  findByUid = async () => undefined
  findByUserCode = async () => undefined
}

const port = await freePort()
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const provider = new Provider(`http://localhost:${port}`, {
  adapter: MemoryAdapter,
  clients: [
    {
      client_id: 'bench',
      client_secret: 'secret',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  claims: { profile: ['name', 'given_name', 'family_name', 'locale'], email: ['email', 'email_verified'] },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
  features: { devInteractions: { enabled: false }, introspection: { enabled: true } },
  issueRefreshToken: async () => true,
  findAccount: async (_, accountId) => ({
    accountId,
    claims: () => ({ sub: accountId, name: 'Ann Ek', given_name: 'Ann', family_name: 'Ek', email: 'ann@ek.example' }),
  }),
})

process.on('message', async ({ codes }: { codes: number }) => {
  const client = await provider.Client.find('bench')
  const made = await Promise.all(
    Array.from({ length: codes }, async () => {
      const grant = new provider.Grant({ accountId: 'ann', clientId: 'bench' })
      grant.addOIDCScope(scope)
      const code = new provider.AuthorizationCode({
        accountId: 'ann',
        client: client as NonNullable<typeof client>,
        grantId: await grant.save(),
        redirectUri,
        scope,
        codeChallenge: challenge,
        codeChallengeMethod: 'S256',
        authTime: Math.floor(Date.now() / 1000),
      } as never)
      return code.save()
    }),
  )
  process.send?.(made)
})
provider.listen(port, () => process.send?.(port))
process.on('disconnect', () => process.exit())
