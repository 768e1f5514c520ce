import { useCan } from '#web/lib/can.tsx'
import { type MenuEntry, menuEntries } from './menu-entries.ts'

/** The links of one place that this person may follow. */
export function useMenuEntries(place: MenuEntry['place']): readonly MenuEntry[] {
  const can = useCan()
  return menuEntries.filter((entry) => entry.place === place && (!entry.permission || can(entry.permission)))
}
