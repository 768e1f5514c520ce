// `npm run test:upgrade -- --from <commit>`: two nodes of that version are replaced by this one while people sign in. The commit
// has to have server/schema/: no other database can be upgraded.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '#test/free-port.ts'
import { createBrowser, signIn } from '../../bench/browser.ts'
import { type ServerProcess, startServerProcess, temporaryDataDir } from '../process/server-process.ts'

const { values } = parseArgs({ options: { from: { type: 'string' } } })
if (!values.from) throw new Error('--from takes a commit or a tag of this repository')

const root = join(import.meta.dirname, '..', '..')
const baseUrl = 'http://portal.localhost:8080'
const { dataDir, remove } = temporaryDataDir()
const lifted = Object.fromEntries(
  ['AUTH_TYPE', 'ADDRESS_FAILURES', 'ADDRESS_FAILURES_HOURLY', 'BEGUN_SIGN_IN', 'API'].map((name) => [
    `LIMIT_${name}`,
    '9999999/60',
  ]),
)

/** A working copy of the other version, with the packages of this one. */
function checkOut(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-upgrade-'))
  execFileSync('git', ['clone', '--quiet', '--no-checkout', root, folder])
  execFileSync('git', ['-C', folder, 'checkout', '--quiet', '--detach', commit])
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(folder, name))
  return folder
}

async function startNode(folder: string, port: string): Promise<ServerProcess> {
  const env = { PORT: port, BASE_URL: baseUrl, DRAIN_SECONDS: '2', LOG_LEVEL: 'error', ...lifted }
  const node = await startServerProcess({ dataDir, folder, env })
  await node.ready
  return node
}

/** Asks four times a second which nodes are ready, as a load balancer does. */
function balance(nodes: readonly ServerProcess[]) {
  const ready = new Set<string>()
  let turn = 0
  const looking = setInterval(async () => {
    for (const { url } of nodes) {
      const response = await fetch(`${url}/health/ready`).catch(() => undefined)
      if (response?.ok) ready.add(url)
      else ready.delete(url)
    }
  }, 250)
  return { next: () => [...ready][turn++ % ready.size] ?? nodes[0]?.url ?? '', stop: () => clearInterval(looking) }
}

function printErrors(node: ServerProcess): void {
  for (const line of node.output().split('\n'))
    if (/"level":"(error|fatal)"/.test(line)) console.log(`logged: ${line.slice(0, 300)}`)
}

const other = checkOut(values.from)
const demo = await startServerProcess({ dataDir, folder: other, env: { DEMO: 'on' } })
await demo.ready
demo.signal('SIGINT')
await demo.ended
const nodes = [await startNode(other, String(await freePort())), await startNode(other, String(await freePort()))]
const balancer = balance(nodes)
await wait(1000)

let journeys = 0
let over = false
const lost: string[] = []
const walking = ['admin@nordvik.example', 'user@nordvik.example', 'admin@alvdal.example'].map(async (email) => {
  while (!over) {
    const browser = createBrowser(baseUrl, balancer.next)
    try {
      await signIn(browser, email, 'Demo-password-1')
      await browser.get('/api/me')
      if ((await browser.submit('/logout', {})) !== '/') throw new Error('signing out ended elsewhere')
    } catch (error) {
      lost.push(String(error))
    }
    journeys++
  }
})
try {
  await wait(5000)
  for (const [index, node] of nodes.entries()) {
    node.signal('SIGTERM')
    if ((await node.ended) !== 0) lost.push(`a node ended badly: ${node.output()}`)
    printErrors(node)
    const since = performance.now()
    nodes[index] = await startNode(root, new URL(node.url).port)
    console.log(`node ${index + 1} is of this version after ${((performance.now() - since) / 1000).toFixed(1)} s`)
    await wait(5000)
  }
} finally {
  over = true
  balancer.stop()
  await Promise.all(walking)
  for (const node of nodes) {
    node.signal('SIGINT')
    await node.ended
    printErrors(node)
  }
}
const env = { ...process.env, DATA_DIR: dataDir }
console.log(
  execFileSync(process.execPath, ['server/admin.ts', 'audit', 'verify'], { cwd: root, env, encoding: 'utf8' }).trim(),
)
remove()
rmSync(other, { recursive: true })
console.log(`${journeys} sign-ins with the own account and a sign-out, lost: ${lost.length}`)
for (const line of lost.slice(0, 20)) console.log(line)
process.exitCode = lost.length === 0 ? 0 : 1
