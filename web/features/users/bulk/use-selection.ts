import { useState } from 'react'
import type { UserSummary } from '#contract/users/user-summary.ts'

/** A selected person, with what names them on any page of the list, and their roles. */
export type Selected = Pick<UserSummary, 'accountId' | 'email' | 'firstName' | 'lastName' | 'organizations'>

export interface Selection {
  people: readonly Selected[]
  has: (accountId: string) => boolean
  toggle: (people: readonly Selected[], selected: boolean) => void
  clear: () => void
}

/** The selected people of a list; they stay selected while its pages are turned. */
export function useSelection(): Selection {
  const [people, setPeople] = useState<readonly Selected[]>([])
  const has = (accountId: string) => people.some((one) => one.accountId === accountId)
  const toggle = (changed: readonly Selected[], selected: boolean) => {
    const ids = new Set(changed.map(({ accountId }) => accountId))
    const others = people.filter(({ accountId }) => !ids.has(accountId))
    setPeople(selected ? [...others, ...changed] : others)
  }
  return { people, has, toggle, clear: () => setPeople([]) }
}

export const nameOf = ({ firstName, lastName, email }: Selected) =>
  [firstName, lastName].filter(Boolean).join(' ') || email
