import { faultOf, knowsPasskeys, proveByPasskey } from '#web/lib/passkeys/browser-passkeys.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { findKeyOptions, verifySecondKey } from '../frame/calls.ts'

interface Credentials {
  email: string
  uid: string
  password: string
}

/**
 * Proves a passkey or security key after the password.
 *
 * @returns false where the person cancelled
 * @throws ApiProblem with what to say
 */
export async function proveSecondKey(credentials: Credentials): Promise<boolean> {
  if (!knowsPasskeys()) throw new ApiProblem(0, 'passkeyBrowserTooOld')
  const options = await findKeyOptions()
  const credential = await proveByPasskey(options).catch((error: unknown) => {
    const fault = faultOf(error)
    if (fault) throw new ApiProblem(0, fault)
    return undefined
  })
  if (credential === undefined) return false
  await verifySecondKey({ ...credentials, credential: credential as never })
  return true
}
