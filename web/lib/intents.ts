/** Milliseconds after which the same change is meant anew: until then it may be a retry of one that got no answer. */
export const intentLasts = 15 * 60 * 1000

interface Intent {
  key: string
  since: number
}

/**
 * What somebody wants changed, and has no answer to yet. Each has a key; the same change sent twice at once, or again
 * after its answer was lost, has the same one, so that the server does it once (docs/decisions/0007).
 */
export function createIntents(now: () => number) {
  const open = new Map<string, Intent>()
  return {
    /** @param change method, address and content: what makes it the same change */
    keyOf(change: string): string {
      for (const [other, { since }] of open) if (now() - since >= intentLasts) open.delete(other)
      const known = open.get(change)
      if (known) return known.key
      const key = randomKey()
      open.set(change, { key, since: now() })
      return key
    },
    /** It is known what became of it. The same once more is a new wish, unless that one is under way already. */
    settle(change: string, key: string): void {
      if (open.get(change)?.key === key) open.delete(change)
    },
  }
}

// Not `randomUUID`: that one is missing where the portal is tried without https.
const randomKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), hex).join('')
const hex = (byte: number) => byte.toString(16).padStart(2, '0')
