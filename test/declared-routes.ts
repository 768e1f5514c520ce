import type { Route } from '#contract/route.ts'
import { accessTable, type Case, type Sample } from './access-table.ts'
import type { Client } from './client.ts'
import type { TestApp } from './test-app.ts'
import type { Target } from './world.ts'

export interface DeclaredRoute {
  /** `GET /api/users/{id}`, as the contract writes it. */
  name: string
  route: Route
  /** Undefined for a call without a sample. */
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
export const requestFor = ({ route, known }: DeclaredRoute, target: Target) =>
  requestOf(route, known?.sample(target) ?? {})

/** Random values may have a `toString` that is no function. */
const inAddress = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** The address and the body of a call with these values; a random query may be null. */
export function requestOf(route: Route, { params = {}, query = {}, body }: Sample): { url: string; body: unknown } {
  const path = route.url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inAddress(params[name]).toWellFormed()),
  )
  const search = new URLSearchParams(
    Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, inAddress(value)]),
  ).toString()
  return { url: search ? `${path}?${search}` : path, body }
}

/** Sends it as this browser would. */
export const send = (client: Client, { route, known }: DeclaredRoute, target: Target) =>
  sendSample(client, route, known?.sample(target) ?? {})

/** A form has texts alone; an object may have no text of its own. */
const textsOf = (body: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body ?? {}).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )

export function sendSample(client: Client, route: Route, sample: Sample) {
  const { url, body } = requestOf(route, sample)
  const { method } = route
  if (method === 'GET') return client.get(url)
  if (method === 'DELETE') return client.delete(url)
  // Request JSON instead of an error page, so that the errors can be compared.
  if (route.body === 'form') return client.submit(url, textsOf(body), { accept: 'application/json' })
  if (method === 'PATCH') return client.patch(url, body)
  return method === 'POST' ? client.post(url, body) : client.put(url, body)
}
