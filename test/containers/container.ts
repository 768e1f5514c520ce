import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cleanUpOnExit } from '#test/watchdog.mjs'

const project = join(import.meta.dirname, '..', '..')

export interface Container {
  /** What the image's entrypoint, which is Node, gets. */
  words: readonly string[]
  env: Record<string, string>
  /** By the path within; `tmpfs` is an empty one that the process may write. */
  mounts: Record<string, { from: string; readOnly?: boolean } | 'tmpfs'>
  /** Names of hosts, each with its address. */
  hosts?: Record<string, string>
}

/** What the Dockerfile sets. */
export const imageEnv = (): Record<string, string> => {
  const [, line = ''] = /^ENV (.*)$/m.exec(readFileSync(join(project, 'deploy/docker/Dockerfile'), 'utf8')) ?? []
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=') as [string, string]))
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`

/**
 * Runs a command as the image does: Node as user 65532 without a capability, in a root of its own that is read-only and has
 * the project as /vestibule. No engine is needed, but root, who may mount.
 */
export function runContainer({ words, env, mounts, hosts = {} }: Container) {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-container-'))
  const cleared = cleanUpOnExit({ folders: [folder] })
  const root = join(folder, 'root')
  const hostsFile = join(folder, 'hosts')
  const lines = Object.entries({ localhost: '127.0.0.1', ...hosts }).map(([name, address]) => `${address} ${name}`)
  writeFileSync(hostsFile, `${lines.join('\n')}\n`, { mode: 0o644 })
  const node = realpathSync(process.execPath)
  const all: Container['mounts'] = {
    '/vestibule': { from: project, readOnly: true },
    '/nodejs/bin/node': { from: node, readOnly: true },
    ...mounts,
  }
  const steps = ['set -eu', 'mount --make-rprivate /', `mkdir -m 755 ${quoted(root)}`, `cd ${quoted(root)}`]
  const bind = (from: string, to: string, readOnly: boolean) => {
    steps.push(`mount --bind ${quoted(from)} ${quoted(to)}`)
    if (readOnly) steps.push(`mount -o remount,bind,ro ${quoted(to)}`)
  }
  steps.push(`mount -t tmpfs -o mode=755 tmpfs ${quoted(root)}`, `cd ${quoted(root)}`, 'mkdir usr etc dev proc')
  for (const name of ['usr', 'etc', 'dev', 'proc']) bind(`/${name}`, name, name !== 'dev')
  for (const name of ['bin', 'lib', 'lib64']) steps.push(`[ -e /${name} ] && ln -s usr/${name} ${name}`)
  bind(hostsFile, 'etc/hosts', true)
  for (const [path, mount] of Object.entries(all)) {
    const place = path.slice(1)
    steps.push(`mkdir -p ${quoted(dirname(place))}`)
    if (mount === 'tmpfs') steps.push(`mkdir -p ${quoted(place)}`, `mount -t tmpfs -o mode=1777 tmpfs ${quoted(place)}`)
    else {
      steps.push(`if [ -d ${quoted(mount.from)} ]; then mkdir -p ${quoted(place)}; else : > ${quoted(place)}; fi`)
      bind(mount.from, place, mount.readOnly === true)
    }
  }
  steps.push(`mount -o remount,ro ${quoted(root)}`)
  const variables = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`))
  const user = '--reuid=65532 --regid=65532 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all'
  const started = `/usr/bin/setpriv ${user} -- /nodejs/bin/node ${words.map(quoted).join(' ')}`
  steps.push(`exec chroot . /usr/bin/env -i -C /vestibule ${variables.join(' ')} ${started}`)
  const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', steps.join('\n')], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  // Its mounts ended with their namespace.
  rmSync(folder, { recursive: true })
  cleared()
  return { status, stdout, stderr }
}

/** Whether this account may mount, as CI's may. */
export const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0 && process.getuid?.() === 0

/** The commands in the blocks of a page that are marked with where they run; a backslash continues a line. */
export const commandsIn = (page: string, place: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`sh ${place}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].flatMap(([, block = '']) =>
    block
      .trim()
      .replaceAll(/\\\n\s*/g, '')
      .split('\n'),
  )
