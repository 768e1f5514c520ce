import type { RequestContext } from '#server/platform/http/request-context.ts'
import { cookieNames } from './cookies.ts'
import { findRestartUrl } from './interactions.ts'
import { ensureBrowserId, readBrowserId } from './login-state.ts'

type Context = Pick<RequestContext, 'db' | 'config' | 'http'>

/**
 * The address that restarts a sign-in which is over, unknown or of another browser. A browser that sent no cookie gets one:
 * if it does not come back with it, `/login` says that cookies are needed, and begins nothing.
 *
 * @param error message key to show there
 */
export async function restartSignIn(
  { db, config, http }: Context,
  uid: string,
  email?: string,
  error?: string,
): Promise<string> {
  const address = await findRestartUrl(db, uid, email, error)
  const { cookies } = http.request
  if (readBrowserId(http.request, config) !== undefined || cookies[cookieNames(config).interaction]) return address
  ensureBrowserId(http.request, http.reply, config)
  return `${address}${address.includes('?') ? '&' : '?'}cookies=set`
}
