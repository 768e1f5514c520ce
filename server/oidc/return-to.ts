// Addresses that do something or lead in a circle are no place to come back to.
const noGoal = /^\/(login|signed-in|logout|session-expired|interaction|api|saml)(\/|\?|#|$)/
// Without a client it is the refresh of the session, and no page.
const ownRequest = /^\/oidc\/auth\?([^#]*&)?client_id=/

/**
 * Where to go after sign-in: the text if it is a path on this origin, else `/`.
 *
 * Browsers read `\` as `/` and drop tabs and newlines, servers on the way may decode once more: what only looks like a
 * path is none.
 */
export function safeReturnTo(text: string | undefined): string {
  if (!text || text.length > 4000 || !isOwnPath(text)) return '/'
  let decoded = text.split(/[?#]/, 1)[0] ?? ''
  for (let round = 0; round < 3; round++) {
    if (!isOwnPath(decoded)) return '/'
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return '/'
    }
  }
  const resolved = URL.parse(text, 'http://here')
  if (resolved?.host !== 'here' || resolved.pathname.startsWith('//')) return '/'
  if (noGoal.test(resolved.pathname)) return '/'
  if (resolved.pathname.startsWith('/oidc/') && !ownRequest.test(text)) return '/'
  return text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const isOwnPath = (text: string) => /^\/(?!\/)/.test(text) && !/[\\\u0000-\u0020\u007f-\u009f]/.test(text)
