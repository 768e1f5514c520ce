import { twoStepMethods } from '#contract/login-methods.ts'
import type { RequestOptions } from '#contract/passkeys/passkeys.ts'
import type { secondFactor } from '#contract/sign-in/second-factor.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import { endChallenge, findChallenge } from '#server/credentials/challenge.ts'
import { challengeLifetime, issueChallenge, takeChallenge } from '#server/credentials/passkeys/challenges.ts'
import { descriptorOf } from '#server/credentials/passkeys/descriptor.ts'
import { isSecondFactor, listKeys } from '#server/credentials/passkeys/passkeys.repository.ts'
import { withProvenPassword } from '#server/credentials/second-factor.ts'
import { takePasskey } from '#server/credentials/take-passkey.ts'
import { issueTicket } from '#server/credentials/ticket.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { found, Problem } from '#server/platform/problem.ts'

const purpose = 'secondFactorPasskey'

/** Lists keys of an account to a browser that has proven its password, and to no other. */
export async function offerKeys(context: RequestContext<typeof secondFactor.passkeyOptions>): Promise<RequestOptions> {
  const { db, config, now } = context
  const { accountId } = found(await findChallenge(db, context))
  const keys = (await listKeys(db, accountId, config.passkeyRpId)).filter(isSecondFactor)
  if (keys.length === 0) throw new Problem(404, 'notFound')
  return {
    challenge: await issueChallenge(db, { purpose, subject: accountId, now }),
    rpId: config.passkeyRpId,
    timeout: challengeLifetime,
    allowCredentials: keys.map(descriptorOf),
    userVerification: 'discouraged',
  }
}

/** A key after the password, which is proven by the challenge of this browser. */
export async function takeSecondKey(context: RequestContext<typeof secondFactor.verifyPasskey>): Promise<undefined> {
  const { db, input, now } = context
  const { email, password, uid, credential } = input
  const ticket = await withProvenPassword(
    context,
    { email, password, methods: twoStepMethods, uid },
    async (proven) => {
      const { person, challenge } = proven
      const begun = challenge && (await takeChallenge(db, { purpose, subject: person.accountId, credential, now }))
      const as = { after: person.accountId }
      const key = begun && (await takePasskey(context, { credential, challenge: begun.challenge, as, uid }))
      if (!key) throw new Problem(401, 'passkeyRefused')
      await endChallenge(db, context)
      return { ...person, amr: [...signInMethods.password.amr, ...key.amr] }
    },
  )
  if (!ticket) throw new Problem(401, 'invalidCredentials')
  await issueTicket(context, context.http.reply, ticket)
  return undefined
}
