import type { saml } from '#contract/sign-in/saml.ts'
import type { RequestContext } from '#server/platform/http/request-context.ts'
import { consumeTest, keepResult } from '../../saml-configs/saml-configs.ts'
import { endSetupTest } from './end-setup-test.ts'
import { examineAnswer } from './examine-answer.ts'

/**
 * Takes the answer to a test sign-in. It has no ticket of a sign-in and no interaction, so it can sign nobody in.
 *
 * @returns where the result is shown, or undefined if the answer belongs to no test of this configuration
 */
export async function receiveTestAnswer(
  context: RequestContext<typeof saml.answer>,
  relayState: string,
): Promise<string | undefined> {
  const { db, keys, now, params, input } = context
  const test = await consumeTest(db, now, params.id, relayState)
  if (!test) return undefined
  const result = await examineAnswer(context, test, input.SAMLResponse ?? '')
  const ticket = await keepResult(db, keys, now, test, result)
  if (test.setup) return endSetupTest(db, test.setup, { ticket, result })
  return `/saml-configuration/${params.id}/test?${new URLSearchParams({ ticket })}`
}
