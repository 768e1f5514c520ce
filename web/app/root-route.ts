import { createRootRoute } from '@tanstack/react-router'
import type { MessageKey } from '#contract/message-key.ts'
import { App } from './app.tsx'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Names the window: "Users – Vestibule". A route without one leaves it to the route above. */
    title?: MessageKey
    /** Opens over the page of the route above: opening and closing it moves neither focus nor scroll of that page. */
    dialog?: true
  }
}

export const root = createRootRoute({ component: App })
