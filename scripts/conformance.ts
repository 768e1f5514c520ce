// `npm run conformance`: every plan, `-- --plan oidcc-basic` one of them; `-- --write` writes docs/conformance.md.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { plans } from '#test/conformance/plans.ts'

const { plan, write } = parseArgs({ options: { plan: { type: 'string' }, write: { type: 'boolean' } } }).values
const names = plans.map(({ name }) => name)
if (plan !== undefined && !names.includes(plan)) {
  console.error(`There is no plan "${plan}". There are: ${names.join(', ')}`)
  process.exit(1)
}
const options = ['run', 'test/conformance.test.ts', '--reporter=./scripts/conformance-reporter.ts']
// Names of plans begin with no other plan's name and a space.
if (plan) options.push('--testNamePattern', `^${plan} `)
if (write) options.push('--update')
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...options], {
  stdio: 'inherit',
  env: { ...process.env, ...(plan && { CONFORMANCE_PLAN: plan }) },
})
process.exitCode = status ?? 1
