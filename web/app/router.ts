import { type AnyRoute, createRoute, createRouter } from '@tanstack/react-router'
import { root } from '#web/lib/root-route.ts'
import { App } from './app.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import * as rooms from './rooms.ts'

// Plain texts both ways: the router's own serialiser makes numbers of telephone numbers and quotes texts.
const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))
const stringifySearch = (search: Record<string, unknown>) => {
  const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

const notFound = createRoute({
  getParentRoute: () => root,
  path: '$',
  component: NotFoundPage,
  staticData: { title: 'pageNotFound' },
})

root.update({ component: App })

type Page = (typeof rooms)[keyof typeof rooms]['pages'][number]

// Later than any page with a place.
const placeOf = ({ options }: AnyRoute): number => options.staticData?.place ?? 1000
const pages = Object.values(rooms)
  .flatMap((room): readonly Page[] => room.pages)
  .sort((one, other) => placeOf(one) - placeOf(other))

export const router = createRouter({
  routeTree: root.addChildren([...pages, notFound]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // TanStack Query decides what is fresh.
  defaultPreloadStaleTime: 0,
  // Errors go past the router to our own fatal screen.
  disableGlobalCatchBoundary: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
