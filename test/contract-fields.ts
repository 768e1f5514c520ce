import * as z from 'zod/mini'
import type { JsonSchema } from '#server/platform/http/openapi.ts'
import type { Sample } from './access-table.ts'
import type { DeclaredRoute } from './declared-routes.ts'
import type { Target } from './world.ts'

/** A field of a request: a parameter, or a field at any depth of the body. */
export interface Field {
  declared: DeclaredRoute
  in: 'params' | 'query' | 'body'
  path: (string | number)[]
  schema: JsonSchema
}

/** Every field in the declaration of a call. */
export function fieldsOf(declared: DeclaredRoute): Field[] {
  const { params, query, input } = declared.route
  const places = { params, query, body: input } as const
  return (['params', 'query', 'body'] as const).flatMap((place) => {
    const schema = places[place]
    if (!schema) return []
    const leaves = leavesOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema, [])
    return leaves.map((leaf) => ({ declared, in: place, ...leaf }))
  })
}

export const nameOf = ({ declared, in: place, path }: Field) => `${declared.name} ${place}.${path.join('.')}`
export const isNumber = ({ schema }: Field) => schema.type === 'integer' || schema.type === 'number'
export const isText = ({ schema }: Field) => schema.type === 'string'

type Loose = Record<string, unknown>
let people = 0

/** The sample of a call; a person that it adds is different each time. */
function sampleOf({ known }: DeclaredRoute, target: Target): Loose {
  const sample = structuredClone(known?.sample(target) ?? {}) as Loose
  const body = sample.body as Loose | undefined
  if (body?.email === 'new@nordvik.example') body.email = `new.${++people}@nordvik.example`
  return sample
}

/** The sample of the call with this value in the field; required parents are made up. */
export function sampleWith(field: Field, target: Target, value: unknown, sample = sampleOf(field.declared, target)) {
  const { in: place, path } = field
  return { ...sample, [place]: placed(sample[place], path, value, rootOf(field)) } as Sample
}

/** The same in every context in which the value may matter: with only the required fields, and with each alternative. */
export function settingsWith(field: Field, target: Target, value: unknown): Sample[] {
  const { properties = {}, required = [] } = rootOf(field)
  const bare = () => {
    const sample = sampleOf(field.declared, target)
    const present = Object.entries((sample[field.in] ?? {}) as Loose).filter(([name]) => required.includes(name))
    return { ...sample, [field.in]: Object.fromEntries(present) }
  }
  const choices = Object.entries(properties).flatMap(([name, one]) =>
    alternatives(one).flatMap(({ enum: choice = [] }) => choice.map((chosen) => ({ [name]: chosen }))),
  )
  const chosen = choices.map((choice) => {
    const sample = bare()
    return sampleWith(field, target, value, { ...sample, [field.in]: { ...(sample[field.in] as Loose), ...choice } })
  })
  return [sampleWith(field, target, value), ...chosen]
}

/** The value of this field in the sample. */
export const presentAt = (field: Field, target: Target): unknown =>
  field.path.reduce<unknown>(
    (inside, step) => (inside as Loose | undefined)?.[step],
    sampleOf(field.declared, target)[field.in],
  )

function rootOf({ declared: { route }, in: place }: Field): JsonSchema {
  const schema = place === 'body' ? route.input : route[place]
  return z.toJSONSchema(schema as z.ZodMiniType, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

const alternatives = (schema: JsonSchema): JsonSchema[] =>
  (schema.anyOf ?? (schema.allOf as JsonSchema[] | undefined) ?? []).flatMap(alternatives).concat(schema)

function leavesOf(schema: JsonSchema, path: Field['path']): Pick<Field, 'path' | 'schema'>[] {
  return alternatives(schema).flatMap((one) => {
    if (one.items) return leavesOf(one.items, [...path, 0])
    if (one.properties)
      return Object.entries(one.properties).flatMap(([name, inside]) => leavesOf(inside, [...path, name]))
    return one.type && one.type !== 'null' ? [{ path, schema: one }] : []
  })
}

function placed(present: unknown, path: Field['path'], value: unknown, schema: JsonSchema | undefined): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  const shapes = alternatives(schema ?? {})
  if (typeof step === 'number') {
    const items = shapes.find((one) => one.items)?.items
    const list = Array.isArray(present) && present.length > step ? present : [exampleOf(items ?? {})]
    return list.with(step, placed(list[step], rest, value, items))
  }
  const inside = shapes.find((one) => one.properties)?.properties?.[step]
  const object = (present ?? exampleOf(schema ?? {})) as Record<string, unknown>
  return { ...object, [step]: placed(object[step], rest, value, inside) }
}

/** An example value of the schema. */
function exampleOf(schema: JsonSchema): unknown {
  const shape = alternatives(schema).find((one) => one.type !== undefined || one.enum) ?? schema
  if (shape.enum) return shape.enum[0]
  if (shape.properties)
    return Object.fromEntries((shape.required ?? []).map((name) => [name, exampleOf(shape.properties?.[name] ?? {})]))
  if (shape.type === 'array') return []
  if (shape.type === 'integer') return shape.minimum ?? 1
  if (shape.format === 'uuid') return '00000000-0000-7000-8000-000000000000'
  return shape.type === 'boolean' ? false : 'x'
}
