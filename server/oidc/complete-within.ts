import type { Provider } from 'oidc-provider'
import type { Http, System } from '#server/platform/system.ts'
import { resumePath } from './artifacts.adapter.ts'
import { beginCompletion, type Completion } from './completion.ts'
import { cookieNames, createCookieSignatures } from './cookies.ts'
import { askWithin, passOn } from './inner-request.ts'

/**
 * Resumes an interaction within the request that proved who is there. The browser has the cookie of the resume's own
 * address, and does not send it here: its value is the uid, which the signed cookie of the interaction has shown.
 */
export async function completeWithin(
  { config, keys }: Pick<System, 'config' | 'keys'>,
  callback: ReturnType<Provider['callback']>,
  http: Http,
  completion: Completion,
): Promise<string | undefined> {
  const { uid } = completion
  const name = cookieNames(config).resume
  const signature = createCookieSignatures(keys).sign(`${name}=${uid}`)
  beginCompletion(http.request, completion)
  const answer = await askWithin(callback, http, {
    path: resumePath(uid).slice('/oidc'.length),
    cookies: { [name]: uid, [`${name}.sig`]: signature },
  }).catch((error: unknown) => {
    // What the provider made of it is for its own answers: here it is a failure of the request like any other.
    throw completion.failure ?? error
  })
  if (completion.failure) throw completion.failure
  if (completion.outcome !== 'done') return completion.outcome
  return passOn(http, { ...answer, location: answer.location ?? '/login' })
}
