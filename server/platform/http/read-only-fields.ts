import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { MessageKey } from '#contract/message-key.ts'
import type { Issue } from '#contract/problem.ts'
import type { Route } from '#contract/route.ts'
import { Problem } from '../problem.ts'

type Json = Record<string, unknown>

/** As much of a JSON Schema as says which fields a body may have. */
interface Shape {
  properties?: Record<string, Shape>
  items?: Shape
}

const shapes = new WeakMap<Route, Shape>()

function shapeOf(route: Route): Shape {
  const known = shapes.get(route)
  if (known) return known
  const shape = route.input ? (z.toJSONSchema(route.input, { io: 'input', unrepresentable: 'any' }) as Shape) : {}
  shapes.set(route, shape)
  return shape
}

/**
 * The API takes back what it gave (product-rules 2.6): takes the read-only fields of the entity out of the body of a PUT, if they are
 * as its GET answers them to the caller. The GET is sent only for a body that has fields beyond the form.
 *
 * @returns the body without them
 * @throws Problem 422 `readOnlyField` for each that differs; what the GET answers where the caller may not read the entity
 */
export async function takeBack(app: FastifyInstance, route: Route, request: FastifyRequest): Promise<unknown> {
  const { body } = request
  if (route.takesBack === undefined || !route.input || !isObject(body)) return body
  const parsed = z.safeParse(route.input, body)
  if (!parsed.error?.issues.some(({ code }) => code === 'unrecognized_keys')) return body
  const present = await readEntity(app, addressOf(route.takesBack, { ...body, ...(request.params as Json) }), request)
  const issues: Issue[] = []
  const form = withoutReadOnly(shapeOf(route), body, present, { path: '', issues })
  if (issues.length > 0) throw new Problem(422, 'validationFailed', { issues })
  return form
}

const addressOf = (template: string, values: Json): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name]).toWellFormed()))

/** By the GET itself, so that nobody learns more than it tells. */
async function readEntity(app: FastifyInstance, url: string, request: FastifyRequest): Promise<unknown> {
  const { host, cookie, 'user-agent': agent, 'x-forwarded-for': forwarded } = request.headers
  const headers = { host, cookie, 'user-agent': agent, 'x-forwarded-for': forwarded, accept: 'application/json' }
  const { statusCode, body } = await app.inject({
    method: 'GET',
    url,
    remoteAddress: request.socket.remoteAddress ?? '',
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
  })
  const answer: unknown = JSON.parse(body)
  if (statusCode === 200) return answer
  throw new Problem(statusCode as 404, String((answer as Json).message) as MessageKey)
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

interface Place {
  path: string
  issues: Issue[]
}

function withoutReadOnly(shape: Shape, sent: unknown, present: unknown, { path, issues }: Place): unknown {
  const inside = (name: string | number): Place => ({ path: path ? `${path}.${name}` : String(name), issues })
  if (Array.isArray(sent) && shape.items?.properties) {
    const ids = Object.keys(shape.items.properties).filter((name) => /(^i|I)d$/.test(name))
    const items = Array.isArray(present) ? present.filter(isObject) : []
    return sent.map((item, index) => {
      const same = items.find((one) => isObject(item) && ids.every((id) => one[id] === item[id]))
      return withoutReadOnly(shape.items ?? {}, item, same, inside(index))
    })
  }
  if (!isObject(sent) || !shape.properties) return sent
  const { properties } = shape
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
      const given = isObject(present) && Object.hasOwn(present, name) ? { value: present[name] } : undefined
      if (Object.hasOwn(properties, name))
        return [[name, withoutReadOnly(properties[name] ?? {}, value, given?.value, inside(name))]]
      // A field that the entity does not have either is for the schema to refuse.
      if (!given) return [[name, value]]
      if (!isDeepStrictEqual(value, given.value))
        issues.push({ path: inside(name).path, message: 'readOnlyField' satisfies MessageKey })
      return []
    }),
  )
}
