import { freshProof } from '#contract/step-up/fresh-proof.ts'
import { call } from './api.ts'
import { confirmIdentity } from './confirm-identity.ts'

/** Before a download, which the page cannot repeat: asks for a proof where the last one is too old. */
export async function hasFreshProof(): Promise<boolean> {
  return (await call(freshProof.read)).fresh || confirmIdentity()
}
