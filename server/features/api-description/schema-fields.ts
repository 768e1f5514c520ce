import { type Html, html } from '#server/platform/html.ts'
import type { JsonSchema } from '#server/platform/http/openapi.ts'

/** The type of a value in a few words: `text`, `whole number`, `one of bankid, local`. */
export function typeOf(schema: JsonSchema): string {
  const { anyOf, type, format } = schema
  if (schema.enum) return schema.enum.length === 1 ? `always ${schema.enum}` : `one of ${schema.enum.join(', ')}`
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (type === 'string') return formats[String(format)] ?? 'text'
  return names[String(type)] ?? 'anything'
}

const names: Record<string, string> = {
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
}
const formats: Record<string, string> = {
  uuid: 'UUID',
  'date-time': 'time, ISO 8601 in UTC',
  email: 'e-mail address',
  uri: 'URL',
}

/** The rules beside the type: lengths, bounds, pattern, default. */
function rulesOf(schema: JsonSchema): string[] {
  const alternatives = schema.anyOf ?? []
  if (alternatives.length > 0) return alternatives.flatMap(rulesOf)
  const rules = { minLength: 'at least', maxLength: 'at most', minimum: 'from', maximum: 'to', maxItems: 'at most' }
  const bounds = Object.entries(rules)
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, words]) => `${words} ${schema[keyword]}${keyword.endsWith('Length') ? ' characters' : ''}`)
  const fallback = schema.default === undefined || schema.default === '' ? [] : [`else ${schema.default}`]
  return [...bounds, ...fallback]
}

/** One field as a row of a list, with the fields inside it below. */
export const field = (name: string, schema: JsonSchema, required: boolean): Html => html`<li>
  <code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${!required && html` <span class="soft">optional</span>`}${rulesOf(schema).map((rule) => html` <span class="soft">${rule}</span>`)}${schema.pattern !== undefined && html` <code class="pattern">${String(schema.pattern)}</code>`}
  ${fieldsInside(schema)}
</li>`

/** The fields of an object, of the objects of a list, or nothing. */
export function fieldsInside(schema: JsonSchema): Html | undefined {
  const { properties, required = [], items, anyOf } = schema
  if (items) return fieldsInside(items)
  if (anyOf) return anyOf.map(fieldsInside).find((inside) => inside !== undefined)
  if (!properties) return undefined
  const rows = Object.entries(properties).map(([name, value]) => field(name, value, required.includes(name)))
  return html`<ul class="fields">${rows}</ul>`
}
