import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerPlans } from './conformance/plans.ts'
import { type RelyingParty, relyingParty } from './relying-party.ts'
import { callback } from './service.ts'
import { testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'

/** How the portal is broken: what it makes of a request before it reads it, and of an answer before it sends it. */
interface Fault {
  plan: 'oidcc-basic' | 'oidcc-formpost-basic' | 'oidcc-config'
  module: string
  request?(url: URL, signedIn: boolean): void
  answer?(answer: { status: number; body: string; headers: Record<string, unknown> }, url: URL): void
}

const config = { plan: 'oidcc-config', module: 'oidcc-discovery-endpoint-verification' } as const
/** Changes the metadata, or the published keys. */
const published = (path: string, change: (found: Record<string, unknown>) => void): Fault => ({
  ...config,
  answer(answer, { pathname }) {
    if (!pathname.endsWith(path)) return
    const found = JSON.parse(answer.body)
    change(found)
    answer.body = JSON.stringify(found)
  },
})
const metadata = (change: (found: Record<string, unknown>) => void) => published('openid-configuration', change)

/** Refuses a parameter from somebody who is not signed in. */
const refuses = (parameter: string, module: string): Fault => ({
  plan: 'oidcc-basic',
  module,
  request(url, signedIn) {
    if (!signedIn && url.searchParams.has(parameter)) url.searchParams.set('client_id', 'unknown')
  },
})
const ignores = (parameter: string, module: string): Fault => ({
  plan: 'oidcc-basic',
  module,
  request: (url) => url.searchParams.delete(parameter),
})
const elsewhere = `<form method="post" action="${callback}/other"><input type="hidden" name="error" value="x"></form>`
const request = 'oidcc-ensure-request-object-with-redirect-uri'

const faults: Record<string, Fault> = {
  'metadata without the address of userinfo': metadata((found) => delete found.userinfo_endpoint),
  'metadata with a kind of subject that nobody knows': metadata((found) => {
    found.subject_types_supported = ['public', 'secret']
  }),
  'metadata that offers unsigned tokens': metadata((found) => {
    found.id_token_signing_alg_values_supported = ['RS256', 'ES256', 'none']
  }),
  'metadata with a member too much': metadata((found) => {
    found.registration_endpoint = 'http://portal.test/oidc/reg'
  }),
  'metadata that denies the parameter `iss`': metadata((found) => {
    found.authorization_response_iss_parameter_supported = false
  }),
  'a key with its secret part': published('/jwks', ({ keys }) => {
    Object.assign((keys as object[])[0] ?? {}, { dp: 'secret' })
  }),
  'login_hint refused before the sign-in': refuses('login_hint', 'oidcc-login-hint'),
  'display=page refused before the sign-in': refuses('display', 'oidcc-display-page'),
  'display=popup refused before the sign-in': refuses('display', 'oidcc-display-popup'),
  'ui_locales refused before the sign-in': refuses('ui_locales', 'oidcc-ui-locales'),
  'claims_locales refused before the sign-in': refuses('claims_locales', 'oidcc-claims-locales'),
  'acr_values refused before the sign-in': refuses('acr_values', 'oidcc-ensure-request-with-acr-values-succeeds'),
  'an unknown parameter refused before the sign-in': refuses(
    'extra',
    'oidcc-ensure-request-with-unknown-parameter-succeeds',
  ),
  'prompt=login ignored': ignores('prompt', 'oidcc-prompt-login'),
  'max_age ignored': ignores('max_age', 'oidcc-max-age-1'),
  'nonce ignored': ignores('nonce', 'oidcc-server'),
  'state ignored': ignores('state', 'oidcc-response-type-missing'),
  'response_mode ignored': { ...ignores('response_mode', 'oidcc-server'), plan: 'oidcc-formpost-basic' },
  'a form that goes to another address': {
    plan: 'oidcc-formpost-basic',
    module: 'oidcc-prompt-none-not-logged-in',
    answer(answer) {
      answer.body = answer.body.replace(`action="${callback}"`, 'action="https://other.example/callback"')
    },
  },
  'an error page whose form goes to the address of the request object': {
    plan: 'oidcc-formpost-basic',
    module: request,
    answer(answer) {
      if (answer.status === 400) answer.body += elsewhere
    },
  },
  'an error page that goes there by itself': {
    plan: 'oidcc-basic',
    module: request,
    answer(answer) {
      if (answer.status === 400) answer.headers.refresh = `0; url=${callback}/other`
    },
  },
}

const portal = await testApp(unlimited)
const parties: Record<string, RelyingParty> = {}
const inject = portal.app.inject.bind(portal.app)
beforeAll(async () => {
  for (const { name, responseMode } of providerPlans)
    parties[name] = await relyingParty({ portal, ...(responseMode && { responseMode }) })
})
afterAll(() => portal.close())

/** Breaks the running portal. @returns how often the fault touched something */
function breakPortal({ request, answer }: Fault): () => number {
  let touched = 0
  portal.app.inject = (async (options: InjectOptions & { url: string }) => {
    const url = new URL(options.url, 'http://portal.test')
    const before = url.href
    request?.(url, String(options.headers?.cookie).includes('session'))
    const response: LightMyRequestResponse = await inject({ ...options, url: url.pathname + url.search })
    const { statusCode: status, body, headers } = response
    const changed = { status, body, headers: { ...headers } }
    answer?.(changed, url)
    if (url.href !== before || changed.body !== body || changed.headers.refresh) touched++
    const json = () => JSON.parse(changed.body)
    return Object.assign(Object.create(response), { body: changed.body, headers: changed.headers, json })
  }) as FastifyInstance['inject']
  return () => touched
}

describe('the runner says so when the portal has a fault', () => {
  test.each(Object.entries(faults))('%s', async (_, fault) => {
    const party = parties[fault.plan]
    const module = providerPlans
      .find(({ name }) => name === fault.plan)
      ?.modules.find(({ name }) => name === fault.module)
    if (!party || !module?.check) throw new Error(`${fault.plan} has no module ${fault.module}`)
    const touched = breakPortal(fault)
    try {
      await expect(module.check(party)).rejects.toThrow()
      expect(touched()).toBeGreaterThan(0)
    } finally {
      portal.app.inject = inject
    }
    await module.check(party)
  })
})
