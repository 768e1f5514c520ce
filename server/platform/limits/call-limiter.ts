import { limitRules } from '../limit-rules.ts'

/** A limit in this process's memory, of API calls per session for one: a token bucket for each key. */
export interface CallLimiter {
  /**
   * Takes one token for a call of this session, or of what else is counted.
   *
   * @returns 0, or the seconds until the next call may follow
   */
  take(sessionKey: string, now: Date): number
}

interface Bucket {
  tokens: number
  /** Milliseconds since the epoch, when `tokens` was computed. */
  at: number
}

/** Buckets in memory. A full bucket carries no information, so the oldest can be evicted. */
const maxBuckets = 20_000

/** Creates the limiter of one process. With n processes a session can make up to n times the limit. */
export function createCallLimiter(limit: { points: number; seconds: number } = limitRules.api): CallLimiter {
  const perMillisecond = limit.points / (limit.seconds * 1000)
  const buckets = new Map<string, Bucket>()
  return {
    take(sessionKey, now) {
      const at = now.getTime()
      const last = buckets.get(sessionKey) ?? { tokens: limit.points, at }
      const tokens = Math.min(limit.points, last.tokens + Math.max(0, at - last.at) * perMillisecond)
      // A Map keeps insertion order: the first entry is the least recently used one.
      buckets.delete(sessionKey)
      if (buckets.size >= maxBuckets) buckets.delete(buckets.keys().next().value as string)
      buckets.set(sessionKey, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: Math.max(at, last.at) })
      return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / perMillisecond / 1000))
    },
  }
}
