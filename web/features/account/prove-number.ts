import { freshProof } from '#contract/step-up/fresh-proof.ts'
import { call } from '#web/lib/requests/api.ts'
import { confirmIdentity } from '#web/lib/requests/confirm-identity.ts'

const hasSecondProof = async () => (await call(freshProof.read, { query: { for: 'factor' } })).fresh

/** After the password: a second step, without which an own number counts for none. @returns whether there is one now */
export const proveNumber = async (): Promise<boolean> => (await hasSecondProof()) || confirmIdentity('factor')

/**
 * After the password, before a number is saved: what the account has beyond the password. Who has nothing is asked for a code once,
 * and may leave that for later.
 *
 * @returns false where the person does not want to
 */
export async function proveChange({ isNew }: { isNew: boolean }): Promise<boolean> {
  if (!(await call(freshProof.read)).fresh) return confirmIdentity()
  if (isNew && !(await hasSecondProof())) await confirmIdentity('number')
  return true
}
