import { Agent, request } from 'undici'
import type { ScaleCall } from './calls.ts'

/** How long answers took; milliseconds. */
export interface Latency {
  p50: number
  p95: number
  p99: number
}

interface Options {
  url: string
  cookie: string
  clients: number
  /** At most; fewer where they take longer than `atMost` milliseconds together. */
  requests: number
}

/** Milliseconds for one figure. */
const atMost = 4000

// Continues between runs, so that no request is repeated.
let asked = 0

/** So many clients ask, each one request after the other. */
export async function latency(call: ScaleCall, { url, cookie, clients, requests }: Options): Promise<Latency> {
  const agent = new Agent({ connections: clients, pipelining: 1 })
  const times: number[] = []
  let left = requests
  const until = performance.now() + atMost
  const client = async () => {
    while (left-- > 0 && (times.length < 20 || performance.now() < until)) {
      const n = asked++
      const path = call.path(n)
      const what = call.post
        ? { method: 'POST' as const, headers: call.post.headers, body: JSON.stringify(call.post.body(n)) }
        : { headers: { cookie } }
      const since = performance.now()
      const { statusCode, body } = await request(url + path, { dispatcher: agent, ...what })
      const text = await body.text()
      times.push(performance.now() - since)
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text.slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  await agent.close()
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
