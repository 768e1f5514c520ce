import { createBrowser, signIn } from '../browser.ts'
import { load } from '../load.ts'
import type { BenchPortal } from '../portal.ts'
import { findPostmaster, postgresTime, processorTime } from '../processor-time.ts'
import { redeem } from '../service-client.ts'
import { password, signInTo } from '../service-sign-ins.ts'
import { goalRow, latencyRow, percentiles, type Row } from './report.ts'
import type { Visitor } from './visitors.ts'

const each = 300
const connections = 32
const warmUpSeconds = 4
const seconds = 8

/** Sign-ins to the portal and to a service, one after the other, each by another person; then the user info of these. */
export async function measureSignIns(
  portal: BenchPortal,
  databaseUrl: string,
  visitors: readonly Visitor[],
): Promise<Row[]> {
  const times = { portal: [] as number[], service: [] as number[], exchange: [] as number[] }
  const tokens: string[] = []
  const timed = async <Result>(list: number[], work: () => Promise<Result>): Promise<Result> => {
    const since = performance.now()
    const result = await work()
    list.push(performance.now() - since)
    return result
  }
  for (let place = 0; place < each; place++) {
    const { email, address, service } = visitors[place % visitors.length] as Visitor
    const browser = () => createBrowser(portal.url, undefined, { 'x-forwarded-for': address })
    await timed(times.portal, () => signIn(browser(), email, password))
    const code = await timed(times.service, () => signInTo(browser(), service, email))
    tokens.push(await timed(times.exchange, () => redeem(service, code)))
    // The first of each compile their code.
    if (place === 30) for (const list of Object.values(times)) list.length = 0
  }
  const postmaster = await findPostmaster(databaseUrl)
  const spent = () => processorTime(portal.pid) + postgresTime(postmaster)
  const requests = tokens.slice(-connections).map((token) => ({ headers: { authorization: `Bearer ${token}` } }))
  const userInfo = { url: `${portal.url}/oidc/me`, connections, requests }
  await load({ ...userInfo, seconds: warmUpSeconds })
  const before = spent()
  const { answered, failures } = await load({ ...userInfo, seconds })
  if (failures > 0) throw new Error(`user info: ${failures} requests failed`)
  return [
    latencyRow('sign-in to the portal', percentiles(times.portal)),
    latencyRow('sign-in to a service', percentiles(times.service)),
    latencyRow('code exchange', percentiles(times.exchange)),
    goalRow('userinfo for each core-second of Node and PostgreSQL', answered / (spent() - before), '/s', {
      atLeast: 1750,
    }),
  ]
}
