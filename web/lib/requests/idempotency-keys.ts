/** Milliseconds during which the same change counts as a retry of one that got no answer. */
export const keyLifetime = 15 * 60 * 1000

interface OpenChange {
  key: string
  since: number
}

/**
 * The idempotency keys of changes that have no answer yet. A change that is sent twice at once, or again after its answer
 * was lost, has the same key, so that the server does it once (docs/decisions/0007).
 */
export function createIdempotencyKeys(now: () => number) {
  const open = new Map<string, OpenChange>()
  return {
    /** @param change method, address and content: what makes it the same change */
    keyOf(change: string): string {
      for (const [other, { since }] of open) if (now() - since >= keyLifetime) open.delete(other)
      const known = open.get(change)
      if (known) return known.key
      const key = randomKey()
      open.set(change, { key, since: now() })
      return key
    },
    /** The change has its answer: the same change again gets a new key. */
    settle(change: string, key: string): void {
      if (open.get(change)?.key === key) open.delete(change)
    },
  }
}

// Not `randomUUID`, which browsers offer on https alone.
const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), hex).join('')
const hex = (byte: number) => byte.toString(16).padStart(2, '0')
