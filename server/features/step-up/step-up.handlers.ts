import { signInMethods } from '#contract/sign-in-methods.ts'
import { freshProof } from '#contract/step-up/fresh-proof.ts'
import { stepUp } from '#contract/step-up/step-up.ts'
import { sendLimits } from '#server/credentials/code-limits.ts'
import { raiseOwnSession } from '#server/credentials/fresh-proof/raise-own-session.ts'
import { guessCode } from '#server/credentials/guess-code.ts'
import { findPerson } from '#server/credentials/people.repository.ts'
import { issueMessage, refuseMailAfterReset, refuseMissingNumber } from '#server/credentials/send-code.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { withAttemptLimit } from '#server/platform/limits/with-attempt-limit.ts'
import { found, Problem } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { freshProofHandlers } from './fresh-proof.handlers.ts'

/** Only this session can use the code: its key is the subject. */
const issuedIn = ({ key }: { key: string }) => ({ purpose: 'stepUpCode', subject: key })

const stepUpHandlers: Handlers<typeof stepUp> = {
  start: async (context) => {
    const { db, session, input, transact } = context
    const person = found(await findPerson(db, session.user.email))
    const recipient = { person, by: input.codeDeliveryType }
    refuseMissingNumber(recipient)
    await refuseMailAfterReset(context, recipient)
    await withAttemptLimit(context, sendLimits(context, recipient), () =>
      transact((trx) =>
        issueMessage(context, trx, { ...recipient, issued: issuedIn(session), template: 'confirm-code' }),
      ),
    )
    return undefined
  },
  verify: async (context) => {
    const { db, session, input } = context
    const person = found(await findPerson(db, session.user.email))
    const proven = await guessCode(context, { person, issued: issuedIn(session), code: input.code, asked: 'email' })
    if (!proven) throw new Problem(422, 'validationFailed', { issues: [{ path: 'code', message: 'invalidCode' }] })
    await raiseOwnSession(context, signInMethods[proven].amr)
    return undefined
  },
}

export const createCallGroups: CreateCallGroups = ({ bankIdClient }) => [
  callGroup(stepUp, stepUpHandlers),
  callGroup(freshProof, freshProofHandlers({ hasBankId: bankIdClient !== undefined })),
]
