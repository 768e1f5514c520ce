import type { Route } from '#contract/route.ts'
import { accessTable, type Case, type Sample } from './access-table.ts'
import type { Client } from './client.ts'
import type { TestApp } from './test-app.ts'
import type { Target } from './world.ts'

export interface DeclaredRoute {
  /** `GET /api/users/{id}`, as the contract writes it. */
  name: string
  route: Route
  /** Missing for a call that nobody has written a sample for. */
  known: Case | undefined
}

/** Every call that the server has, straight from its router. */
export const declaredRoutes = ({ app }: TestApp): DeclaredRoute[] =>
  app.routeList
    .filter(({ method, route }) => route?.method === method)
    .flatMap(({ route }) => (route ? [route] : []))
    .map((route) => {
      const name = `${route.method} ${route.url}`
      return { name, route, known: accessTable[name] }
    })

/** The address and the body of a call about a target. */
export function requestFor({ route, known }: DeclaredRoute, target: Target): { url: string; body: unknown } {
  const { params = {}, query = {}, body }: Sample = known?.sample(target) ?? {}
  const path = route.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(query).toString()
  return { url: search ? `${path}?${search}` : path, body }
}

/** Sends it as this browser would. */
export function send(client: Client, declared: DeclaredRoute, target: Target) {
  const { url, body } = requestFor(declared, target)
  const { method } = declared.route
  if (method === 'GET') return client.get(url)
  if (method === 'DELETE') return client.delete(url)
  // The client's own accept header would ask for a page, and pages differ by nothing that matters here.
  if (declared.route.body === 'form')
    return client.submit(url, body as Record<string, string>, { accept: 'application/json' })
  return method === 'POST' ? client.post(url, body) : client.put(url, body)
}
