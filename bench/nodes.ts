// `node scripts/run.mjs --web bench/nodes.ts`: what a request costs with one, two and three nodes on one PostgreSQL.
import { freePort } from '#test/free-port.ts'
import {
  postgresPid,
  type ServerProcess,
  startServerProcess,
  temporaryDataDir,
} from '../test/process/server-process.ts'
import { createBrowser, signIn } from './browser.ts'
import { postgresTime, processorTime } from './processor-time.ts'

const seconds = Number(process.env.NODES_SECONDS ?? 8)
const rounds = Number(process.env.NODES_ROUNDS ?? 2)
const baseUrl = 'http://portal.localhost:8080'
const people = ['admin@nordvik.example', 'user@nordvik.example', 'both@nordvik.example', 'admin@alvdal.example']
const limits = ['AUTH_TYPE', 'BEGUN_SIGN_IN', 'ADDRESS_FAILURES', 'ADDRESS_FAILURES_HOURLY', 'API']
const { dataDir, remove } = temporaryDataDir()

async function startNode(): Promise<ServerProcess> {
  const lifted = Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, '9999999/60']))
  const env = { PORT: String(await freePort()), BASE_URL: baseUrl, DEMO: 'on', LOG_LEVEL: 'error', ...lifted }
  const node = await startServerProcess({ dataDir, env })
  await node.ready
  return node
}

/** Repeats the work in eight loops; the cost of one in milliseconds of processor time. */
async function measure(nodes: readonly ServerProcess[], work: (loop: number) => Promise<unknown>): Promise<string> {
  const used = () =>
    [nodes.reduce((sum, { pid }) => sum + processorTime(pid), 0), postgresTime(postgresPid(dataDir) ?? 0)] as const
  const [nodesBefore, postgresBefore] = used()
  const since = performance.now()
  let count = 0
  const loops = Array.from({ length: 8 }, async (_, loop) => {
    while (performance.now() - since < seconds * 1000) {
      await work(loop)
      count++
    }
  })
  await Promise.all(loops)
  const [nodesAfter, postgresAfter] = used()
  const rate = (count * 1000) / (performance.now() - since)
  const cost = (time: number) => `${((time * 1000) / count).toFixed(2)} ms`
  return `${rate.toFixed(0)} a second | ${cost(nodesAfter - nodesBefore)} | ${cost(postgresAfter - postgresBefore)}`
}

const nodes = [await startNode()]
try {
  nodes.push(await startNode(), await startNode())
  let turn = 0
  for (let round = 0; round < rounds; round++)
    for (let number = 1; number <= nodes.length; number++) {
      const some = nodes.slice(0, number)
      const serverOf = () => some[turn++ % number]?.url ?? ''
      const browsers = await Promise.all(
        people.map(async (email) => {
          const browser = createBrowser(baseUrl, serverOf)
          await signIn(browser, email, 'Demo-password-1')
          return browser
        }),
      )
      const reading = await measure(some, (loop) => browsers[loop % people.length]?.get('/api/me') ?? Promise.resolve())
      const entering = await measure(some, (loop) =>
        signIn(createBrowser(baseUrl, serverOf), people[loop % people.length] ?? '', 'Demo-password-1'),
      )
      console.log(`| ${number} | own account | ${reading} |\n| ${number} | sign-in | ${entering} |`)
    }
} finally {
  for (const node of nodes) node.signal('SIGINT')
  await Promise.all(nodes.map(({ ended }) => ended))
  remove()
}
