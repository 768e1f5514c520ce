import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#test/free-port.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'

const root = join(import.meta.dirname, '..', '..')

/** A process of `node server/main.mjs`, as an operator runs it. */
export interface ServerProcess {
  url: string
  pid: number
  /** Everything it printed so far. */
  output(): string
  signal(name: NodeJS.Signals): void
  /** Resolves with its exit code, or the name of the signal that ended it. */
  ended: Promise<number | string>
  /** Resolves when it serves; rejects when it ends instead. */
  ready: Promise<void>
}

interface Options {
  dataDir: string
  env?: Record<string, string>
  /** Another account, by its number. */
  uid?: number
  /** The project folder of another version. */
  folder?: string
  /** The descriptor of a listening socket to pass on, as systemd does; PORT is then its port. */
  socket?: number | undefined
}

/** Starts a server on a free port. */
export async function startServerProcess(options: Options): Promise<ServerProcess> {
  const { dataDir, env = {}, uid, folder = root, socket } = options
  const port = env.PORT ?? String(await freePort())
  const url = `http://localhost:${port}`
  const command = [process.execPath, join(folder, 'server', 'main.mjs')]
  // LISTEN_PID is known once the process is there.
  const [program = '', ...rest] =
    socket === undefined ? command : ['sh', '-c', 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', 'sh', ...command]
  const child = spawn(program, rest, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', ...(socket === undefined ? [] : [socket])],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      PORT: port,
      BASE_URL: url,
      DEMO: 'off',
      DRAIN_SECONDS: '0',
      ...env,
    },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  const cleared = cleanUpOnExit({ pid: child.pid })
  child.on('close', cleared)
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Vestibule is ready')) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('close', () => reject(new Error(`the server ended: ${output}`)))
  })
  ready.catch(() => {})
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    signal: (name) => child.kill(name),
    ended: endOf(child),
    ready,
  }
}

const endOf = async (child: ChildProcess): Promise<number | string> => {
  const [code, signal] = await once(child, 'close')
  return code ?? signal
}

/** A data folder for one test, and a function that removes it. */
export function temporaryDataDir(parent = tmpdir()): { dataDir: string; remove: () => void } {
  const dataDir = mkdtempSync(join(parent, 'vestibule-process-'))
  const entry = join(dataDir, 'postgres')
  const cleared = cleanUpOnExit({ cluster: join(entry, 'cluster'), folders: [entry, dataDir] })
  const remove = () => {
    const isLink = lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink()
    if (isLink) rmSync(realpathSync(entry), { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
    cleared()
  }
  return { dataDir, remove }
}

/** The process id of the embedded PostgreSQL of a data folder; undefined if none runs. */
export function postgresPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  return existsSync(`/proc/${pid}`) ? pid : undefined
}
