import type * as z from 'zod/mini'
import type { Route } from '#contract/route.ts'
import type { Client } from './client.ts'
import { declaredRoutes } from './declared-routes.ts'
import type { Entity, EntityKind, Here } from './entity-kind.ts'
import { type TwoValues, twoValues } from './two-values.ts'

type Json = Record<string, unknown>

export const routeOf = ({ portal }: Here, call: string): Route => {
  const found = declaredRoutes(portal).find(({ name }) => name === call)
  if (!found) throw new Error(`there is no ${call}`)
  return found.route
}

/** The schemas of a body's fields. */
export const fieldsOf = ({ input }: Route) => (input as unknown as { shape: Record<string, z.ZodMiniType> }).shape

export const fill = (address: string, values: Json) =>
  address.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

/** Two values for each field that people fill in. */
export async function valuesOf(here: Here, kind: EntityKind, route: Route): Promise<Record<string, TwoValues>> {
  const special = (await kind.values?.(here)) ?? {}
  const fields = Object.entries(fieldsOf(route)).filter(
    ([name]) => name !== 'version' && name !== kind.create?.[1] && !kind.fixed?.[name],
  )
  return Object.fromEntries(fields.map(([name, schema]) => [name, special[name] ?? twoValues(name, schema)]))
}

/** @throws where the call is refused */
export async function send(here: Here, call: string, values: Json, body: Json, by: Client = here.root): Promise<Json> {
  const route = routeOf(here, call)
  const url = fill(route.url, values)
  const answer = await (route.method === 'POST' ? by.post(url, body) : by.put(url, body))
  if (answer.statusCode >= 300) throw new Error(`${call} with ${JSON.stringify(body)}: ${answer.body}`)
  return answer.json()
}

/** Makes one with every field. */
export async function create(here: Here, kind: EntityKind): Promise<Entity & { body: Json; values: Json }> {
  const [call, id] = kind.create as readonly [string, string]
  const route = routeOf(here, call)
  // What belongs to something else is named in the address.
  const place: Json = route.url.includes('{') ? { [id]: (await here.portal.service()).serviceId } : {}
  const fields = Object.entries(await valuesOf(here, kind, route)).filter(([name]) => !kind.notAtFirst?.includes(name))
  const body = { ...kind.required?.(), ...Object.fromEntries(fields.map(([name, [first]]) => [name, first])) }
  const answer = await send(here, call, place, body)
  return { by: here.root, body, values: { [id]: answer[id], ...place } }
}

/** Who saves one, and one that is there: those of the table, or a super user and a new one. */
export const savers = (kind: EntityKind): Record<string, (here: Here) => Promise<Entity>> =>
  kind.of ?? { 'a super user': (here) => create(here, kind) }
