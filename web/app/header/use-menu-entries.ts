import type { StaticDataRouteOption } from '@tanstack/react-router'
import { type Declared, useDeclaredRoutes } from '../declared.ts'

export type MenuEntry = Pick<Declared, 'to' | 'title'>

/** The links of one place that this person may follow. A page that has none is reached from another one. */
export const useMenuEntries = (place: NonNullable<StaticDataRouteOption['menu']>): readonly MenuEntry[] =>
  useDeclaredRoutes().filter(({ menu }) => menu === place)
