// `npm run bench:scim`: a directory's first synchronisation, half of it to a second node.
// Usage: npm run bench:scim -- [--people 10000]
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/embedded-postgres/embedded-postgres.ts'
import { budget, table } from './measure.ts'
import { startPortal } from './portal.ts'

/** As many requests at once as a directory sends. */
const atOnce = 8

/** A token for an organisation of the demo that has a sign-in of its own. */
async function connectDirectory(ownerUrl: string): Promise<{ token: string; domain: string }> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const token = `vst_scim_${randomBytes(32).toString('base64url')}`
  const { rows } = await client.query(
    `insert into scim_tokens (token_id, organization_id, name, token_hash, answers_for, by_operator, created_at, expires_at)
     select gen_random_uuid(), organization_id, 'Bench', $1, (select account_id from users where super_user limit 1), true,
       now(), now() + interval '1 day'
     from organizations where login_method = 'saml' order by name limit 1
     returning (select mail_domain from saml_configs join organizations o on o.saml_config_id = id
       where o.organization_id = scim_tokens.organization_id) as domain`,
    [createHash('sha256').update(token).digest()],
  )
  await client.end()
  return { token, domain: rows[0].domain }
}

/** What a directory does for somebody new: looks whether they are there, and adds them. */
async function provision(url: string, token: string, userName: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' }
  const filter = encodeURIComponent(`userName eq "${userName}"`)
  const found = await fetch(`${url}/scim/v2/Users?filter=${filter}`, { headers })
  if (found.status !== 200) throw new Error(`the search answered ${found.status}`)
  await found.arrayBuffer()
  const body = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    ...{ userName, externalId: userName, active: true, displayName: 'Åsa Öberg', title: 'Läkare' },
    name: { givenName: 'Åsa', familyName: 'Öberg' },
    emails: [{ value: userName, type: 'work', primary: true }],
  }
  const added = await fetch(`${url}/scim/v2/Users`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (added.status !== 201) throw new Error(`the request answered ${added.status}: ${await added.text()}`)
  await added.arrayBuffer()
}

async function run(people: number): Promise<void> {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`)
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-scim-'))
  const database = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
  const settings = { DATABASE_URL: database.appUrl, DATABASE_OWNER_URL: database.ownerUrl, DATA_DIR: folder }
  const first = await startPortal(settings)
  const second = await startPortal(settings)
  try {
    const { token, domain } = await connectDirectory(database.ownerUrl)
    const since = performance.now()
    let next = 0
    await Promise.all(
      Array.from({ length: atOnce }, async (_, lane) => {
        while (next < people) {
          const number = next++
          await provision(lane % 2 === 0 ? first.url : second.url, token, `bench-${number}@${domain}`)
        }
      }),
    )
    const seconds = (performance.now() - since) / 1000
    console.log(
      `\n${table([budget(`first synchronisation of ${people} people, two nodes`, seconds, 's', (600 * people) / 10_000)])}`,
    )
  } finally {
    await Promise.all([first.stop(), second.stop()])
    const cluster = realpathSync(join(folder, 'postgres'))
    await database.stop()
    for (const place of [cluster, folder]) rmSync(place, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { people: { type: 'string', default: '10000' } } })
await run(Number(values.people))
