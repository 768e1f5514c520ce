import type { SamlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import type { SamlTestResult } from '#contract/saml-configs/saml-tests.ts'
import type { SetupDraft } from '#contract/saml-setups/saml-setups.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JsonObject } from '#server/platform/database/database-types.ts'
import { UnsealError } from '#server/platform/secrets/envelope.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import { consumeToken, issueToken, peekToken } from '#server/platform/secrets/one-time-tokens.ts'
import { seal, unseal } from '#server/platform/secrets/sealing.ts'
import { requestIdOf } from '#server/saml/authn-request.ts'

// Not the purpose of a real request: neither can be used as the other.
const requestPurpose = 'samlTest'
const resultPurpose = 'samlTestResult'
const inTenMinutes = (now: Date) => new Date(now.getTime() + 10 * 60_000)

/** A test sign-in that waits for its answer. */
export interface SamlTest {
  samlConfigId: number
  requestId: string
  /** The session that began it, or the set-up link; only it gets the result. */
  sessionKey: string
  /** The values that are tested, saved or not. */
  form: SamlConfigForm
  /** The set-up link whose draft is tested. */
  setup?: { id: string; draft: SetupDraft }
}

/** Remembers a test for ten minutes. @returns its relay state */
export const rememberTest = (
  db: Db,
  now: Date,
  { samlConfigId, ...data }: Omit<SamlTest, 'requestId'>,
): Promise<string> =>
  issueToken(db, {
    purpose: requestPurpose,
    subject: String(samlConfigId),
    now,
    expiresAt: inTenMinutes(now),
    data: data as unknown as JsonObject,
  })

/** Uses up the test of this configuration that the relay state names. */
export async function consumeTest(db: Db, now: Date, id: string, token: string): Promise<SamlTest | undefined> {
  const used = await consumeToken(db, { purpose: requestPurpose, token, now, subject: id })
  return (
    used && {
      samlConfigId: Number(id),
      requestId: requestIdOf(token),
      ...(used.data as unknown as Omit<SamlTest, 'samlConfigId' | 'requestId'>),
    }
  )
}

/** What the answer to a test showed. */
export type Findings = Omit<SamlTestResult, 'kind' | 'active' | 'saved' | 'organizations'>

type Owner = Pick<SamlTest, 'samlConfigId' | 'sessionKey'>
const subjectOf = ({ samlConfigId, sessionKey }: Owner) => `${samlConfigId} ${sessionKey}`
const cell = (row: string) => ({ table: 'one_time_things', column: 'data', row })

/** Keeps a result for ten minutes, sealed because it has personal data. @returns the ticket that names it */
export function keepResult(
  db: Db,
  keys: Keys,
  now: Date,
  test: Owner & { form: object },
  found: Findings,
): Promise<string> {
  const subject = subjectOf(test)
  const sealed = seal(keys, 'codes', cell(subject), JSON.stringify({ found, form: test.form })).toString('base64')
  return issueToken(db, { purpose: resultPurpose, subject, now, expiresAt: inTenMinutes(now), data: { sealed } })
}

/** Finds a result of this session. */
export async function findResult(
  db: Db,
  keys: Keys,
  now: Date,
  { ticket, ...of }: Owner & { ticket: string },
): Promise<{ found: Findings; form: object } | undefined> {
  const subject = subjectOf(of)
  const found = await peekToken(db, { purpose: resultPurpose, token: ticket, now, subject })
  if (!found) return undefined
  try {
    const plain = await unseal(keys, cell(subject), Buffer.from(String(found.data.sealed), 'base64'))
    return JSON.parse(plain.toString('utf8'))
  } catch (error) {
    // Its key has retired.
    if (error instanceof UnsealError) return undefined
    throw error
  }
}
