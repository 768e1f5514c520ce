// Asks the registry for known vulnerabilities of the locked packages. A registry without advisories is no failure.
import { spawnSync } from 'node:child_process'
import { root } from './prepare.mjs'

const { stdout } = spawnSync('npm audit --json', { cwd: root, encoding: 'utf8', shell: true, timeout: 60_000 })
const { metadata, vulnerabilities = {}, message } = JSON.parse(stdout || '{}')
if (!metadata) {
  console.log(`left out: the registry does not tell (${message ?? 'no answer in 60 s'})`)
} else {
  const severe = Object.values(vulnerabilities).filter(({ severity }) => severity === 'high' || severity === 'critical')
  for (const { name, severity, range } of severe) console.error(`${name} ${range}: ${severity}`)
  process.exitCode = severe.length > 0 ? 1 : 0
}
