import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testPassword } from './people.ts'
import { type TestApp, testApp } from './test-app.ts'

const deploy = join(import.meta.dirname, '..', 'deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')

const promtool = (args: string[], input?: string) =>
  spawnSync('promtool', args, { cwd: deploy, input, encoding: 'utf8' })
const hasPromtool = promtool(['--version']).status === 0
if (process.env.CI && !hasPromtool) throw new Error('promtool is missing')

let portal: TestApp
let metrics: string
beforeAll(async () => {
  portal = await testApp({ LIMIT_AUTH_TYPE: '1/60' })
  const { email } = await portal.person()
  await portal.signedIn({ email, accountId: '' }, testPassword)
  const browser = portal.browser()
  await browser.post('/api/verify-credentials', { email, password: 'Wrong-password-1' })
  for (let time = 0; time < 2; time++) await browser.get(`/api/authType?email=${email}`)
  await portal.system.db
    .insertInto('jobRuns')
    .values({ name: 'audit-verify', startedAt: portal.now(), failed: false })
    .execute()
  await portal.system.db
    .insertInto('auditChecks')
    .values({ checkedAt: portal.now(), afterSeq: 0, seq: 0, fault: null, signed: 'x' })
    .execute()
  metrics = (await portal.app.inject({ url: '/metrics', headers: { host: '10.0.0.7' } })).body
})
afterAll(() => portal?.close())

describe.runIf(hasPromtool)('promtool, of Prometheus,', () => {
  test('accepts the metrics', () => {
    const { status, stdout, stderr } = promtool(['check', 'metrics'], metrics)
    expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' })
  })

  test('accepts the alert rules, and each of them fires at its fault alone', () => {
    expect(promtool(['check', 'rules', 'prometheus/alerts.yaml']).stdout).toContain('SUCCESS')
    const { status, stdout, stderr } = promtool(['test', 'rules', 'prometheus/alerts.test.yaml'])
    expect(status, stdout + stderr).toBe(0)
  })
})

test('every alert rule has a test', () => {
  const names = (text: string, name: RegExp) => new Set([...text.matchAll(name)].map(([, found]) => found))
  const rules = names(read('prometheus/alerts.yaml'), /alert: (\w+)/g)
  expect(rules.size).toBeGreaterThan(10)
  expect(names(read('prometheus/alerts.test.yaml'), /alertname: (\w+)/g)).toEqual(rules)
})

test.each(['prometheus/alerts.yaml', 'prometheus/alerts.test.yaml', 'grafana/vestibule.json'])(
  '%s names only series that the portal has',
  (file) => {
    const known = new Set([...metrics.matchAll(/^(\w+)[ {]/gm)].map(([, name]) => name))
    const named = new Set([...read(file).matchAll(/\bvestibule_\w+/g)].map(([name]) => name))
    expect(named.size).toBeGreaterThan(5)
    expect([...named].filter((name) => !known.has(name))).toEqual([])
  },
)

test('sign-ins are counted by method and outcome, and refusals by limit', () => {
  expect(metrics).toContain('vestibule_sign_ins_total{method="password",outcome="success"} 1')
  expect(metrics).toContain('vestibule_sign_ins_total{method="password",outcome="failure"} 1')
  expect(metrics).toContain('vestibule_limits_hit_total{limit="authType"} 1')
})
