import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { createBrowser, signIn } from '../browser.ts'
import { authorizationQuery, codeIn, redeem } from '../service-client.ts'
import { password } from '../service-sign-ins.ts'
import { isRefusal, type Visitor } from './visitors.ts'

/** A portal and who comes: so many at once, each for so long, for a while. */
export interface Crowd {
  url: string
  visitors: Visitor[]
  atOnce: number
  seconds: number
  visitSeconds: number
}

/** What the crowd saw: milliseconds of each kind of step, and what went wrong by message. */
export interface Seen {
  visits: number
  times: Record<string, number[]>
  /** 429 and 503 with their step. */
  refusals: Record<string, number>
  failures: Record<string, number>
}

const dispatcher = new Agent({ connections: 64, pipelining: 1 })

process.once('message', async ({ url, visitors, atOnce, seconds, visitSeconds }: Crowd) => {
  const seen: Seen = { visits: 0, times: {}, refusals: {}, failures: {} }
  const end = performance.now() + seconds * 1000
  let next = 0

  async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const since = performance.now()
    try {
      const result = await work()
      seen.times[name] ??= []
      seen.times[name].push(performance.now() - since)
      return result
    } catch (error) {
      const counts = isRefusal(error) ? seen.refusals : seen.failures
      const what = `${name}: ${(error as Error).message}`
      counts[what] = (counts[what] ?? 0) + 1
      throw error
    }
  }

  /** Part of the visit, as some are quicker than others. */
  const think = (part: number) => wait(visitSeconds * part * (0.5 + Math.random()) * 1000)

  async function ask(address: string, headers: Record<string, string>): Promise<void> {
    const { statusCode, body } = await request(address, { dispatcher, headers })
    await body.dump()
    if (statusCode !== 200) throw new Error(`${new URL(address).pathname} answered ${statusCode}`)
  }

  async function visit({ email, address, service }: Visitor): Promise<void> {
    const from = { 'x-forwarded-for': address }
    const browser = createBrowser(url, undefined, from)
    await step('sign-in', () => signIn(browser, email, password))
    await step('launcher', () => ask(`${url}/api/start`, { ...from, cookie: browser.cookieHeader('/api/start') }))
    await think(0.3)
    const code = await step('entering a service', async () => {
      const found = codeIn(await browser.get(`/oidc/auth?${authorizationQuery(service)}`))
      if (!found) throw new Error('the portal made no code')
      return found
    })
    const token = await step('code exchange', () => redeem(service, code))
    await step('userinfo', () => ask(`${service.issuer}/me`, { ...from, authorization: `Bearer ${token}` }))
    await think(0.6)
    await step('sign-out', () => browser.submit('/logout', {}))
    seen.visits++
  }

  await Promise.all(
    Array.from({ length: atOnce }, async (_, place) => {
      // They come within the time of a visit, and from then on all are there at once.
      await wait((Math.min(visitSeconds, seconds / 2) * place * 1000) / atOnce)
      while (performance.now() < end) {
        const visitor = visitors[next++ % visitors.length] as Visitor
        await visit(visitor).catch(() => wait(1000))
        await think(0.1)
      }
    }),
  )
  process.send?.(seen, () => process.exit())
})
