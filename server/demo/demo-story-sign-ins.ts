import type { LoginMethod, SignInMethod } from '#contract/roles.ts'
import type { PastEvent } from './add-demo-history.ts'
import type { DemoAccount } from './add-demo-people.ts'
import { dayMs, storyDays } from './demo-load.ts'

const hourMs = 3_600_000
// Networks that are kept for documentation (RFC 5737).
const networks = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24']
const browsers = [
  'Chrome, Windows',
  'Edge, Windows',
  'Safari, iOS',
  'Firefox, Linux',
  'Safari, macOS',
  'Chrome, Android',
]

/** Chance, the same at every first start (mulberry32). */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The sign-ins of a person, failed ones among them, and what they ended with. */
export function signInsOf(
  account: DemoAccount,
  { index, now, since }: { index: number; now: Date; since: number },
): PastEvent[] {
  const { person, organizationIds } = account
  const last = person.lastSeen ?? 30
  if (last >= Math.min(since, storyDays)) return []
  const random = chance(index + 1)
  const who = { id: account.accountId, label: account.email, organizationIds }
  const habit = habitOf(account, index, random())
  const trace = {
    client: 'portal',
    address: networks[index % networks.length],
    browser: browsers[(index * 5) % browsers.length],
  }
  const events: PastEvent[] = []
  for (let days = Math.min(since, storyDays) - 1; days >= last; days--) {
    const isLast = days === last
    const morning = new Date(now.getTime() - days * dayMs).setUTCHours(6, 30, 0, 0)
    const isWeekend = [0, 6].includes(new Date(morning).getUTCDay())
    const [whether, when, failing, ending] = [random(), random(), random(), random()]
    if (!isLast && whether > (isWeekend ? habit / 8 : habit)) continue
    // The last one is what the lists show as the last sign-in.
    const at = isLast ? account.lastSeen : new Date(morning + when * 9 * hourMs)
    if (at > now) continue
    const method = methodOf(account.loginMethod, person.phoneNumber !== undefined && when < 0.3)
    if (failing < 0.05)
      events.push({
        at: new Date(at.getTime() - 40_000),
        entry: { name: 'loginFailure', actor: null, target: who, organizationIds, after: { ...trace, method } },
      })
    events.push({ at, entry: { name: 'loginSuccess', actor: who, target: who, after: { ...trace, method } } })
    const end = new Date(at.getTime() + (0.2 + ending) * hourMs)
    if (!isLast && ending < 0.25)
      events.push({ at: end, entry: { name: 'logout', actor: who, target: who, after: { ...trace, method } } })
  }
  return events
}

/** How likely the person signs in on a weekday. Most people are in the large organisation, and would hide the others. */
function habitOf({ superUser: operates, loginMethod }: DemoAccount, index: number, chance: number): number {
  if (operates) return 0.8
  if (loginMethod !== 'local') return 0.6 + chance * 0.35
  return index < 90 ? 0.25 + chance * 0.6 : 0.03 + chance * 0.14
}

function methodOf(loginMethod: LoginMethod, byPhone: boolean): SignInMethod {
  if (loginMethod === 'local') return 'password'
  if (loginMethod === 'local2FA') return byPhone ? 'passwordAndSmsCode' : 'passwordAndEmailCode'
  return loginMethod
}
