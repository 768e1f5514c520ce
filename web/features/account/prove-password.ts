import { freshProof } from '#contract/step-up/fresh-proof.ts'
import { call, send } from '#web/lib/requests/api.ts'

/** A password that was typed into a form is a proof already: what the account has beyond it, the call asks for. */
export async function provePassword(password: string): Promise<void> {
  const { fresh, steps } = await call(freshProof.read)
  if (!fresh && steps.includes('password')) await send(freshProof.password, { input: { password } })
}
