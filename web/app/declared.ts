import { type AnyRoute, type NavigateOptions, type StaticDataRouteOption, useRouter } from '@tanstack/react-router'
import type { MessageKey } from '#contract/message-key.ts'
import type { Permission } from '#contract/permissions.ts'
import { useCan } from '#web/lib/session/can.tsx'

/** A page or a dialog, as its room declares it. */
export interface Declared extends Omit<StaticDataRouteOption, 'permission'> {
  to: NonNullable<NavigateOptions['to']>
  title: MessageKey
  /** Its own, or that of the route above. */
  permission: Permission | undefined
  /** The page under a dialog. */
  pageBelow: string | undefined
}

/** Every route of the rooms, in the order of their places. */
export const declaredRoutes = ({ routesByPath }: { routesByPath: object }): Declared[] =>
  Object.values(routesByPath as Record<string, AnyRoute>).flatMap((route) => {
    const declared = staticDataOf(route)
    if (!declared?.title) return []
    const pageBelow = declared.dialog ? route.parentRoute.fullPath : undefined
    return { ...declared, to: route.fullPath, title: declared.title, pageBelow, permission: permissionOf(route) }
  })

// A root has no static data; the router's types do not say so.
const staticDataOf = (route: AnyRoute): StaticDataRouteOption | undefined => route.options.staticData

const permissionOf = (route: AnyRoute | undefined): Permission | undefined =>
  route && (staticDataOf(route)?.permission ?? permissionOf(route.parentRoute))

/** Those that this person is offered. */
export function useDeclaredRoutes(): Declared[] {
  const can = useCan()
  return declaredRoutes(useRouter()).filter(({ permission }) => !permission || can(permission))
}
