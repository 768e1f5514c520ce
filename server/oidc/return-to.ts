// Paths with side effects, or that would loop, are no return targets.
const notReturnable = /^\/(login|signed-in|logout|session-expired|signed-out|interaction|api|saml)(\/|\?|#|$)/
// Without a client_id it is the session refresh, not a page.
const ownRequest = /^\/oidc\/auth\?([^#]*&)?client_id=/

/**
 * Validates the path to return to after sign-in: a path on this origin, URL-encoded; else `/` (prevents open redirects).
 *
 * Browsers read `\` as `/` and drop tabs and newlines, and proxies may decode once more: such paths are rejected.
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
  if (notReturnable.test(resolved.pathname)) return '/'
  if (resolved.pathname.startsWith('/oidc/') && !ownRequest.test(text)) return '/'
  return resolved.pathname + resolved.search + resolved.hash
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const isOwnPath = (text: string) => /^\/(?!\/)/.test(text) && !/[\\\u0000-\u0020\u007f-\u009f]/.test(text)
