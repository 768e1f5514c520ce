import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditEventNames } from '#contract/audit-event.ts'
import { createApp } from '#server/app.ts'
import { declaredRoutes } from './declared-routes.ts'
import { type TestApp, testApp } from './test-app.ts'

interface Operation {
  operationId: string
  summary: string
  security: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { $ref?: string; description?: string }>
  'x-audit-event': string[]
}

let portal: TestApp
let document: { paths: Record<string, Record<string, Operation>> } & Record<string, unknown>
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  )

beforeAll(async () => {
  portal = await testApp()
  document = (await portal.browser().get('/api/openapi.json')).json()
})
afterAll(() => portal?.close())

describe('the OpenAPI document', () => {
  test('has version 3.1 and all required top-level fields', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d+$/),
      info: { title: expect.any(String), version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      servers: [{ url: 'http://portal.test' }],
    })
  })

  test('has every declared call but those of SCIM, which describes itself, and no other', () => {
    const described = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(described.sort()).toEqual(
      declaredRoutes(portal)
        .filter(({ route }) => route.access !== 'scim')
        .map(({ name }) => name)
        .sort(),
    )
  })

  test('resolves every reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(references.length).toBeGreaterThan(10)
    const resolve = (reference: string) =>
      reference
        .slice(2)
        .split('/')
        .reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], document)
    expect(references.filter((reference) => !reference.startsWith('#/') || !resolve(reference))).toEqual([])
  })

  test('has every call once, with a summary', () => {
    const ids = operations().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operationId, summary } of operations()) {
      expect(operationId).toMatch(/^[a-z][a-zA-Z0-9]+$/)
      expect(summary, operationId).not.toBe('')
    }
  })

  test('has a parameter for every name in a path, and a schema for every parameter', () => {
    for (const { path, operationId, parameters } of operations()) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map(({ name }) => name).sort(), operationId).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort(),
      )
      expect(inPath.every(({ required }) => required)).toBe(true)
      for (const { schema } of parameters) expect(Object.keys(schema).length, operationId).toBeGreaterThan(0)
    }
  })

  test('documents the errors, and that unknown fields are refused', () => {
    for (const { operationId, responses, security, requestBody } of operations()) {
      expect(
        Object.keys(responses).some((status) => Number(status) < 400),
        operationId,
      ).toBe(true)
      expect('401' in responses, operationId).toBe(security.length > 0)
      const schema = Object.values(requestBody?.content ?? {})[0]?.schema
      // Identity providers may post additional fields, and AuthZEN's forms are open.
      const open = [
        'postSamlIdAcs',
        'postSamlIdSlo',
        'postLoginCompanyId',
        'postAccessV1Evaluation',
        'postAccessV1Evaluations',
      ]
      if (schema && !open.includes(operationId))
        expect(schema, operationId).toMatchObject({ additionalProperties: false })
    }
  })

  test('names only existing audit events', () => {
    const named = operations().flatMap((operation) => operation['x-audit-event'])
    expect(named).toContain('createService')
    expect(named.filter((name) => !(auditEventNames as readonly string[]).includes(name))).toEqual([])
  })
})

describe('the page', () => {
  test('has a section for every call, without inline scripts or styles', async () => {
    const { body, headers } = await portal.browser().get('/api/docs')
    for (const { operationId } of operations()) expect(body).toContain(`id="${operationId}"`)
    expect(body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i)
    expect(headers['content-security-policy']).toContain("style-src 'self'")
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(targets.filter((target) => !body.includes(`id="${target}"`))).toEqual([])
  })
})

describe('in production', () => {
  test('both are for super users', async () => {
    const { app } = await createApp(
      { ...portal.system, config: { ...portal.system.config, production: true } },
      { webFolder: '/nowhere' },
    )
    const cookie = async (superUser: boolean) => {
      const client = await portal.signedIn(await portal.person({ superUser }))
      return Object.entries(client.cookies())
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
    }
    const status = async (url: string, session?: string) =>
      (await app.inject({ url, headers: { host: 'portal.test', ...(session ? { cookie: session } : {}) } })).statusCode
    const [person, superUser] = [await cookie(false), await cookie(true)]
    for (const url of ['/api/openapi.json', '/api/docs'])
      expect([await status(url), await status(url, person), await status(url, superUser)]).toEqual([401, 403, 200])
    await app.close()
  })
})
