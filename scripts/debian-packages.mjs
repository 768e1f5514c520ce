// Debian's packages for the tests. Plain JavaScript: npm test runs it before anything is installed.
import { spawnSync } from 'node:child_process'

/** Installs packages without prompting, as root or by sudo; returns whether that was possible. */
export function installPackages(...names) {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  // RUNLEVEL keeps Debian from starting the services of what it installs.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const apt = (...options) => {
    const [program, ...rest] = [...asRoot, 'apt-get', ...options]
    return spawnSync(program, rest, { stdio: 'ignore', env }).status === 0
  }
  const install = () => apt('install', '-y', '--no-install-recommends', ...names)
  return install() || (apt('update') && install())
}
