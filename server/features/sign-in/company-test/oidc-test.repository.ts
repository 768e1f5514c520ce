import type { SetupDraft } from '#contract/saml-setups/saml-setups.ts'
import type { AskedSignIn } from '#server/company-oidc/company-provider.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { consumeToken, issueToken } from '#server/platform/secrets/one-time-tokens.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import type { TestedValues } from './tested-values.ts'

// Not the purpose of a real request: neither can be used as the other.
const purpose = 'companyOidcTest'
const lifetime = 10 * 60_000

/** A test sign-in that waits for its answer. */
export interface OidcTest extends Omit<AskedSignIn, 'state'> {
  /** The session that began it; only it gets the result. */
  sessionKey: string
  form: TestedValues
  /** The set-up link whose draft is tested. */
  setup?: { id: string; draft: SetupDraft }
}

const cell = (samlConfigId: string) => ({ table: 'one_time_things', column: 'data', row: samlConfigId })

/** Remembers a test for ten minutes, sealed because it has a secret. @returns its state */
export function rememberOidcTest(db: Db, keys: Keys, now: Date, id: number, test: OidcTest): Promise<string> {
  const subject = String(id)
  const sealed = seal(keys, 'codes', cell(subject), JSON.stringify(test)).toString('base64')
  const expiresAt = new Date(now.getTime() + lifetime)
  return issueToken(db, { purpose, subject, now, expiresAt, data: { sealed } })
}

/** Uses up the test of this configuration that the state names. */
export async function consumeOidcTest(
  db: Db,
  keys: Keys,
  now: Date,
  { id, state }: { id: string; state: string },
): Promise<OidcTest | undefined> {
  const used = await consumeToken(db, { purpose, token: state, now, subject: id })
  if (!used) return undefined
  const plain = await unseal(keys, cell(id), Buffer.from(String(used.data.sealed), 'base64'))
  return JSON.parse(plain.toString('utf8'))
}
