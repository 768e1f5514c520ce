import { linesOf } from '#contract/saml-configs/saml-options.ts'
import { samlTestChecks } from '#contract/saml-configs/saml-tests.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Keys } from '#server/platform/secrets/keys.ts'
import type { SignedContent } from '#server/saml/assertion.ts'
import { extractClaims } from '#server/saml/claims.ts'
import { acsUrl, ownEntityId } from '#server/saml/service-provider.ts'
import { verifyResponse } from '#server/saml/verify-response.ts'
import type { Findings, SamlTest } from '../../saml-configs/saml-configs.ts'
import { describeCertificates } from '../../saml-configs/saml-configs.ts'
import { signersOf } from '../company/company.repository.ts'
import { failuresOf, matchPerson, summarizeChecks } from './summarize-checks.ts'

/** Checks the answer of a test sign-in as a real sign-in would, and goes on after a mistake. Writes nothing. */
export async function examineAnswer(
  { db, keys, config, now }: { db: Db; keys: Keys; config: Config; now: Date },
  { samlConfigId, requestId, form }: SamlTest,
  base64: string,
): Promise<Findings> {
  let encrypted = false
  let signed: SignedContent | undefined
  const { found } = await failuresOf(() =>
    verifyResponse(base64, signersOf(keys, form), {
      entityId: form.entityId,
      acsUrl: acsUrl(config, samlConfigId),
      audience: ownEntityId(config, samlConfigId),
      requestId,
      now,
      clockSkew: form.clockSkewSeconds * 1000,
      authenticatedSince: undefined,
      authnContexts: linesOf(form.authnContexts),
      onSigned: (content) => {
        signed = content
      },
      onDecrypted: () => {
        encrypted = true
      },
    }),
  )
  const content = signed as SignedContent | undefined
  const claims = content && (await failuresOf(async () => extractClaims(content, form)))
  const match = claims?.result && (await matchPerson(db, keys, samlConfigId, claims.result))
  const failures = [...found, ...(claims?.found ?? []), ...(match?.found ?? [])]
  const isEncrypted = encrypted || failures.some(({ failure }) => failure === 'encrypted')
  const usable = describeCertificates(form.certificate, now).some(
    ({ status }) => status === 'valid' || status === 'endsSoon',
  )
  return summarizeChecks({
    at: now,
    name: form.name,
    checks: samlTestChecks.filter((check) => check !== 'encryption' || isEncrypted),
    failures,
    content,
    match,
    ignored: claims?.result?.ignored,
    certificateEnded: !usable,
  })
}
