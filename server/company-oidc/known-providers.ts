import type { Configuration } from 'openid-client'
import { type CompanyProvider, connectProvider, type Setting } from './company-provider.ts'

/** A configuration at one version. */
interface Known {
  id: number
  version: number
}

/** The providers of the companies, with what was discovered of them. */
export interface Providers {
  /** Discovers with these values, without the cache. @throws Refusal */
  discover(given: CompanyProvider): Promise<Configuration>
  /** The provider of a saved configuration. @throws Refusal */
  find(of: Known, now: Date, given: () => Promise<CompanyProvider>): Promise<Configuration>
}

const lifetime = 10 * 60_000

/** Keeps each discovery document for ten minutes, or until the configuration changes. The library keeps the keys with it. */
export function createProviders(setting: Setting): Providers {
  const kept = new Map<number, { version: number; until: number; provider: Promise<Configuration> }>()
  const discover = (given: CompanyProvider) => connectProvider(setting, given)
  return {
    discover,
    find({ id, version }, now, given) {
      const known = kept.get(id)
      if (known && known.version === version && known.until > now.getTime()) return known.provider
      const provider = given().then(discover)
      kept.set(id, { version, until: now.getTime() + lifetime, provider })
      // Only what was found is kept. The caller sees the error.
      provider.catch(() => kept.get(id)?.provider === provider && kept.delete(id))
      return provider
    },
  }
}
