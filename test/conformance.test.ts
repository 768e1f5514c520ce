import { afterAll, describe, expect, test } from 'vitest'
import { authzenParty } from './conformance/authzen-party.ts'
import { companyParty } from './conformance/company-party.ts'
import type { Module } from './conformance/module.ts'
import { pageOf } from './conformance/page.ts'
import { authzenPlans, companyPlans, type Plan, plans, providerPlans } from './conformance/plans.ts'
import { relyingParty } from './relying-party.ts'
import { testApp } from './test-app.ts'
import { unlimited } from './unlimited.ts'

// `npm run conformance -- --plan NAME` runs one of them and prints its modules; scripts/conformance.ts.
const portal = await testApp(unlimited)
afterAll(() => portal.close())

function run<Party>({ name, modules }: Plan<Party>, open: () => Promise<Party>) {
  describe(name, () => {
    let opened: Promise<Party> | undefined
    const check = async ({ check }: Module<Party>) => {
      opened ??= open()
      if (!check) throw new Error('a module that passes, or does not apply, has something to check')
      await check(await opened)
    }
    for (const module of modules) test(module.name, () => check(module))
  })
}

for (const { responseMode, ...plan } of providerPlans)
  run(plan, () => relyingParty({ portal, ...(responseMode && { responseMode }) }))
for (const plan of companyPlans) run(plan, () => companyParty({ portal }))
for (const plan of authzenPlans) run(plan, () => authzenParty({ portal }))

test('where decisions are made is published', async () => {
  const { headers, body } = await portal.browser().get('/.well-known/authzen-configuration')
  expect(headers['content-type']).toMatch(/^application\/json/)
  const at = 'http://portal.test'
  expect(JSON.parse(body)).toEqual({
    policy_decision_point: at,
    access_evaluation_endpoint: `${at}/access/v1/evaluation`,
    access_evaluations_endpoint: `${at}/access/v1/evaluations`,
  })
})

test('docs/conformance.md says of each module what the table says', async () => {
  await expect(pageOf(plans)).toMatchFileSnapshot('../docs/conformance.md')
})

test('each plan has as many modules as the official one, each once', () => {
  expect(Object.fromEntries(plans.map(({ name, modules }) => [name, modules.length]))).toEqual({
    'oidcc-basic': 38,
    'oidcc-formpost-basic': 38,
    'oidcc-config': 1,
    'rp-initiated-logout': 11,
    'backchannel-rp-initiated-logout': 2,
    'frontchannel-rp-initiated-logout': 2,
    '3rdparty-init-login': 2,
    'client-basic': 14,
    'authzen-pdp-evaluation': 33,
    'authzen-pdp-evaluations': 27,
  })
  for (const { modules } of plans) expect(new Set(modules.map(({ name }) => name)).size).toBe(modules.length)
})
