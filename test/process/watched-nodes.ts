import { type BenchBrowser, signIn } from '../../bench/browser.ts'
import type { ServerProcess } from './server-process.ts'

/** Settings for many sign-ins from one address. */
export const unlimited = Object.fromEntries(
  ['AUTH_TYPE', 'BEGUN_SIGN_IN', 'ADDRESS_FAILURES', 'ADDRESS_FAILURES_HOURLY', 'API'].map((name) => [
    `LIMIT_${name}`,
    '9999999/60',
  ]),
)

/** Signs in, looks at the own account and signs out. */
export async function signInAndOut(browser: BenchBrowser, email: string): Promise<void> {
  await signIn(browser, email, 'Demo-password-1')
  await browser.get('/api/me')
  const end = await browser.submit('/logout', {})
  if (end !== '/') throw new Error(`signing out ended at ${end}`)
}

/** A client without a proxy: it asks the nodes four times a second which of them is ready, and as HAProxy minds three failures. */
export function watchNodes(nodes: readonly ServerProcess[]) {
  const failures = new Map<string, number>()
  let turn = 0
  const looking = setInterval(async () => {
    for (const { url } of nodes) {
      const response = await fetch(`${url}/health/ready`).catch(() => undefined)
      failures.set(url, response?.ok ? 0 : (failures.get(url) ?? 3) + 1)
    }
  }, 250)
  const ready = () => nodes.filter(({ url }) => (failures.get(url) ?? 3) < 3)
  return {
    count: () => ready().length,
    next: () => ready()[turn++ % ready().length]?.url ?? nodes[0]?.url ?? '',
    stop: () => clearInterval(looking),
  }
}
