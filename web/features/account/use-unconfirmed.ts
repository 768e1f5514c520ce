import { useQuery } from '@tanstack/react-query'
import { factors } from '#contract/factors/factors.ts'
import type { OwnNumber } from '#contract/second-factors.ts'
import { freshQuery } from '#web/lib/requests/query.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'

/** The own numbers that count for no second step before the person confirms them; not one that is still to be found out. */
export function useUnconfirmed(): readonly OwnNumber[] {
  const { me } = useSignedIn()
  const { data } = useQuery(freshQuery(factors.read))
  return data?.unconfirmed.filter((name) => me[name] && !me[name].startsWith('placeholder')) ?? []
}
