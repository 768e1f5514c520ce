import { setTimeout as wait } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** A flood of passwords to check, so many at once. */
export interface Flood {
  url: string
  atOnce: number
  seconds: number
}

/** What the flood was answered: by status, and how many refusals did not say when to come again. */
export interface Flooded {
  statuses: Record<string, number>
  withoutRetryAfter: number
}

process.once('message', async ({ url, atOnce, seconds }: Flood) => {
  const dispatcher = new Agent({ connections: atOnce, pipelining: 1 })
  const flooded: Flooded = { statuses: {}, withoutRetryAfter: 0 }
  const end = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        const { statusCode, headers, body } = await request(`${url}/api/verify-credentials`, {
          method: 'POST',
          dispatcher,
          headers: { origin: url, 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'user@nordvik.example', password: 'Demo-password-1' }),
        })
        await body.dump()
        flooded.statuses[statusCode] = (flooded.statuses[statusCode] ?? 0) + 1
        if (statusCode >= 429 && headers['retry-after'] === undefined) flooded.withoutRetryAfter++
        if (statusCode >= 429) await wait(Number(headers['retry-after'] ?? 1) * 1000)
      }
    }),
  )
  process.send?.(flooded, () => process.exit())
})
