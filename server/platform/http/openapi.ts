import * as z from 'zod/mini'
import { problem } from '#contract/problem.ts'
import type { Route } from '#contract/route.ts'
import { idempotencyHeader } from './idempotency.ts'
import { failureAnswers } from './openapi-failures.ts'
import { securityOf, securitySchemes } from './openapi-security.ts'

/** A JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). */
export interface JsonSchema {
  [keyword: string]: unknown
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
}

/** A path, query or header parameter. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: JsonSchema
}

/** A response. */
export interface Answer {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Record<string, { schema: JsonSchema }>
}

/** One operation, with our extensions under `x-`. */
export interface Operation {
  operationId: string
  tags: [string]
  summary: string
  security: Record<string, string[]>[]
  'x-access': string
  'x-audit-event': string[]
  'x-limit'?: string
  parameters: Parameter[]
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, Answer | { $ref: string }>
}

/** The whole document. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: { Problem: JsonSchema }
    securitySchemes: Record<string, unknown>
    responses: Record<string, Answer>
  }
}

interface Options {
  routes: readonly Route[]
  title: string
  version: string
  baseUrl: string
  /** The name of the session cookie. */
  cookie: string
}

/** Generates OpenAPI 3.1 from the declared routes. */
export function createOpenApiDocument({ routes, title, version, baseUrl, cookie }: Options): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  // SCIM describes itself, at /scim/v2/Schemas, and has other forms of bodies and failures.
  const described = routes.filter(({ access }) => access !== 'scim')
  const ordered = described.sort((a, b) => a.url.localeCompare(b.url, 'en') || a.method.localeCompare(b.method, 'en'))
  for (const route of ordered) {
    paths[route.url] = { ...paths[route.url], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      description:
        'JSON in, JSON out. Unknown fields are refused. Unsafe calls must come from the same origin. ' +
        'A failure says what is wrong as a key of the texts, with the fields that it is about.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(ordered.map(tagOf))].map((name) => ({ name, description: `Calls below /${name}` })),
    paths,
    components: {
      schemas: { Problem: jsonSchema(problem, 'output') },
      securitySchemes: securitySchemes({ baseUrl, cookie }),
      responses: failureAnswers(),
    },
  }
}

const tagOf = ({ url }: Route) =>
  url
    .replace(/^\/api\/(?!v1)/, '/')
    .replace(/^\/api/, '')
    .split('/')[1] || 'portal'

/** The audit events that a route may record. */
const eventsOf = ({ audit = 'none' }: Route): string[] => {
  if (audit === 'none') return []
  if (typeof audit === 'string') return [audit]
  if ('many' in audit) return [audit.many].flat()
  if (!('andFollowing' in audit)) return [...('atMost' in audit ? audit.atMost : audit)]
  return [...new Set([...('one' in audit ? [audit.one] : audit.atMost), ...[audit.andFollowing ?? []].flat()])]
}

function operation(route: Route): Operation {
  const media = route.body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    operationId: `${route.method.toLowerCase()}${route.url.replaceAll(/[^a-z0-9]+([a-z0-9])?/gi, (_, letter = '') => letter.toUpperCase())}`,
    tags: [tagOf(route)],
    summary: route.summary,
    security: securityOf(route),
    'x-access': route.access,
    'x-audit-event': eventsOf(route),
    ...(route.limit ? { 'x-limit': route.limit } : {}),
    parameters: [...parameters('path', route.params), ...parameters('query', route.query), ...idempotencyHeader(route)],
    ...(route.input
      ? { requestBody: { required: true as const, content: { [media]: { schema: jsonSchema(route.input, 'input') } } } }
      : {}),
    responses: { ...success(route), ...failuresOf(route) },
  }
}

function parameters(where: 'path' | 'query', schema: Route['params']): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: value,
  }))
}

const files = {
  html: 'text/html',
  png: 'image/png',
  publicImage: 'image/*',
  csv: 'text/csv',
  jsonLines: 'application/jsonl',
  json: 'application/json',
  page: 'text/html',
} as const
function success(route: Route): Record<string, Answer> {
  if (route.answer === 'nothing') return { 204: { description: 'Done' } }
  if (route.answer === 'redirect') {
    return {
      303: { description: 'Onwards', headers: { Location: { description: 'Where to', schema: { type: 'string' } } } },
    }
  }
  if (typeof route.answer === 'string') {
    return { 200: { description: 'A file', content: { [files[route.answer]]: { schema: { type: 'string' } } } } }
  }
  const content = { 'application/json': { schema: jsonSchema(route.answer, 'output') } }
  return { [route.status ?? 200]: { description: route.status === 201 ? 'Created' : 'The answer', content } }
}

function failuresOf(route: Route): Record<string, { $ref: string }> {
  const unsafe = route.method !== 'GET'
  const statuses = [
    400,
    ...(route.input ? [413, 415] : []),
    ...(route.access === 'public' ? [] : [401]),
    ...(unsafe || !['public', 'signedIn', 'machine'].includes(route.access) ? [403] : []),
    ...(route.params ? [404] : []),
    ...(unsafe && route.audit !== 'none' ? [409] : []),
    ...((route.input || route.query) && !route.wrongInput ? [422] : []),
    ...(route.limit || route.access !== 'public' ? [429] : []),
    503,
  ]
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]))
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify })
  return plain as JsonSchema
}

// A named format makes its pattern redundant, and the limits of JavaScript integers are not rules of the API.
function simplify({ jsonSchema: node }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (node.format || node.type === 'integer') delete node.pattern
  if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum
  if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum
}
