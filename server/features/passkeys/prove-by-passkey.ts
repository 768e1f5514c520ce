import type { passkeys, RequestOptions } from '#contract/passkeys/passkeys.ts'
import { raiseOwnSession } from '#server/credentials/fresh-proof/raise-own-session.ts'
import { challengeLifetime, issueChallenge, takeChallenge } from '#server/credentials/passkeys/challenges.ts'
import { descriptorOf } from '#server/credentials/passkeys/descriptor.ts'
import { isSecondFactor, listKeys } from '#server/credentials/passkeys/passkeys.repository.ts'
import { takePasskey } from '#server/credentials/take-passkey.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { Problem } from '#server/platform/problem.ts'

const purpose = 'stepUpPasskey'

/** What the browser needs to prove one of the person's keys; the challenge is of this session. */
export async function beginProof(context: RequestContext<typeof passkeys.beginProof>): Promise<RequestOptions> {
  const { db, config, session, now } = context
  const keys = await listKeys(db, session.user.accountId, config.passkeyRpId)
  const usable = keys.filter(isSecondFactor)
  if (usable.length === 0) throw new Problem(409, 'noPasskey')
  return {
    challenge: await issueChallenge(db, { purpose, subject: session.uid, now }),
    rpId: config.passkeyRpId,
    timeout: challengeLifetime,
    allowCredentials: usable.map(descriptorOf),
    userVerification: 'discouraged',
  }
}

export async function proveByPasskey(context: RequestContext<typeof passkeys.prove>): Promise<undefined> {
  const { db, input, session, now } = context
  const { credential } = input
  const begun = await takeChallenge(db, { purpose, subject: session.uid, credential, now })
  const as = { after: session.user.accountId }
  const proven = begun && (await takePasskey(context, { credential, challenge: begun.challenge, as }))
  if (!proven) throw new Problem(422, 'passkeyRefused')
  await raiseOwnSession(context, proven.amr)
  return undefined
}
