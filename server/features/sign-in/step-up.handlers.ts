import type { stepUp } from '#contract/step-up/step-up.ts'
import { guessCode } from '#server/credentials/guess-code.ts'
import { findPerson } from '#server/credentials/people.repository.ts'
import { issueMessage, refuseMissingNumber, sendLimits } from '#server/credentials/send-code.ts'
import { portalClientId } from '#server/oidc/clients.adapter.ts'
import { setSessionCookie } from '#server/oidc/new-session.ts'
import { recordPhoneProof } from '#server/oidc/phone-proof.ts'
import { raiseSession } from '#server/oidc/reach/raise-session.ts'
import { methodFromAmr } from '#server/oidc/sign-in-method.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { createSignInTrace } from '#server/platform/http/sign-in-trace.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { found, Problem } from '#server/platform/problem.ts'

/** Only this session can use the code: its key is the subject. */
const issuedIn = ({ key }: { key: string }) => ({ purpose: 'stepUpCode', subject: key })

export const stepUpHandlers: Handlers<typeof stepUp> = {
  start: async (context) => {
    const { db, session, input, transact } = context
    const person = found(await findPerson(db, session.user.email))
    const recipient = { person, by: input.codeDeliveryType }
    refuseMissingNumber(recipient)
    await withAttemptLimit(context, sendLimits(recipient), () =>
      transact((trx) => issueMessage(context, trx, { ...recipient, issued: issuedIn(session) })),
    )
    return undefined
  },
  verify: async (context) => {
    const { db, session, input } = context
    const person = found(await findPerson(db, session.user.email))
    const amr = ['otp', 'mfa']
    const guess = await guessCode(context, { person, issued: issuedIn(session), code: input.code, amr })
    if (!guess) throw new Problem(422, 'validationFailed', { issues: [{ path: 'code', message: 'invalidCode' }] })
    await raise(context, guess.data.by === 'sms' ? [...amr, 'sms'] : amr)
    return undefined
  },
}

/** @throws Problem 401 if the session has ended since the request began */
async function raise(context: RequestContext<typeof stepUp.verify>, proven: readonly string[]): Promise<void> {
  const { session, http, transact } = context
  const id = await transact(async (db, audit) => {
    const raised = await raiseSession(db, session, proven)
    if (raised === undefined) throw new Problem(401, 'signInRequired')
    if (proven.includes('sms')) await recordPhoneProof(db, session.actor.accountId)
    const method = methodFromAmr([...session.amr, ...proven])
    audit({
      name: 'strengthenSession',
      target: { id: session.actor.accountId, label: session.label },
      after: createSignInTrace(http.request, { method, client: portalClientId }),
    })
    return raised
  })
  setSessionCookie(context, id)
}
