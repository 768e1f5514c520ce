import { createRootRoute } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { MessageKey } from '#contract/message-key.ts'
import type { Permission, PermissionTarget } from '#contract/permissions.ts'
import type { UsedFeature } from '#contract/session/session.ts'
import type { Finder } from './palette/use-search.ts'

/** A permission that is asked about an organisation. */
export type OrganizationPermission = {
  [Name in Permission]: { organizationId: string } extends PermissionTarget<Name> ? Name : never
}[Permission]

/** What the palette offers to do: it opens the route, under the route's title. */
export interface PaletteAction {
  icon: LucideIcon
  /** Concerns the chosen organisation, whose id is in the address, for whom this permission lets in there. */
  inOrganization?: OrganizationPermission
}

/** The groups of the administration menu, by what people do, in their order. */
export const menuGroups = ['customers', 'serviceAccess', 'messages', 'operation'] as const
export type MenuGroupName = (typeof menuGroups)[number]

// All that the frame of the app knows of a room: menu, palette, window title and breadcrumb are made from it.
declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Names the window: "Users – Vestibule", the link and the action. A route without one leaves it to the route above. */
    title?: MessageKey
    /** Opens over the page of the route above: opening and closing it moves neither focus nor scroll of that page. */
    dialog?: true
    /** Who is offered the page, with everything below it; everybody unless it says so. */
    permission?: Permission
    /** Where its link stands: in the bar itself, in its Administration menu, or in the account menu. */
    menu?: 'bar' | 'administration' | 'account'
    /** In a menu only where the chosen organisation has something of it; the palette and the settings lead there before. */
    used?: UsedFeature
    /** Of the administration menu: what it stands with there. */
    group?: MenuGroupName
    /** Where it stands among all pages, in its menu and in the palette: the lowest number first. */
    place?: number
    /** For a page without a link in a menu: the pages there that lead to it. */
    reachedFrom?: readonly string[]
    /** Beside its name in the palette. */
    icon?: LucideIcon
    action?: PaletteAction
    /** What the palette finds by what is typed; fetched with the palette. */
    find?: () => Promise<Finder>
  }
}

/** Above every page; the app draws its frame in it (web/app/router.ts). */
export const root = createRootRoute()
