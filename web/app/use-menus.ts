import type { MessageKey } from '#contract/message-key.ts'
import { type MenuGroupName, menuGroups } from '#web/lib/root-route.ts'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'
import { type Declared, useDeclaredRoutes } from './declared.ts'

export type MenuEntry = Pick<Declared, 'to' | 'title'>

export interface MenuSection {
  /** Null where there are too few entries for headings. */
  label: MessageKey | null
  entries: readonly MenuEntry[]
}

const groupLabels: Record<MenuGroupName, MessageKey> = {
  customers: 'menuCustomers',
  serviceAccess: 'menuServiceAccess',
  messages: 'menuMessages',
  operation: 'menuOperation',
}

/** So many links stand in the bar itself; so many need no headings. */
const fewLinks = 2
const fewEntries = 5

/** The links that this person may follow, by where they stand. A page that has none is reached from another one. */
export function useMenus() {
  const { membership } = useCurrentOrganization()
  const isUsed = ({ used }: Declared) => !used || !membership || membership.uses?.includes(used)
  const declared = useDeclaredRoutes().filter(isUsed)
  const at = (place: Declared['menu']) => declared.filter(({ menu }) => menu === place)
  const administration = at('administration')
  const inBar = administration.length <= fewLinks
  return {
    account: at('account'),
    bar: [...at('bar'), ...(inBar ? administration : [])],
    administration: inBar ? [] : sectionsOf(administration),
  }
}

function sectionsOf(entries: readonly Declared[]): MenuSection[] {
  if (entries.length <= fewEntries) return [{ label: null, entries }]
  return menuGroups
    .map((name) => ({ label: groupLabels[name], entries: entries.filter(({ group }) => group === name) }))
    .filter((section) => section.entries.length > 0)
}
