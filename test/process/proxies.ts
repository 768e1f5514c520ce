import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#test/free-port.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'

/** A reverse proxy of Debian's in front of several nodes, on a free port. */
export interface ReverseProxy {
  name: ProxyName
  url: string
  stop(): Promise<void>
}

export type ProxyName = 'haproxy' | 'nginx'

interface Settings {
  port: number
  /** `host:port` of each. */
  nodes: readonly string[]
  folder: string
  /** Paths that HAProxy sends elsewhere, with that `host:port`. */
  elsewhere: Readonly<Record<string, string>>
  /** After how many failed checks, four a second, a node is down for HAProxy: all are while the machine itself stalls. */
  fall: number
  /** The configuration, where it is another one. */
  file?: (port: number, folder: string) => string
}

/** As in docs/operations.md. */
const haproxy = ({ port, nodes, folder, elsewhere, fall }: Settings) => ({
  file: `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 30s
  option redispatch
frontend portal
  bind 127.0.0.1:${port}
${Object.keys(elsewhere)
  .map((path, index) => `  use_backend elsewhere${index} if { path_beg ${path} }\n`)
  .join('')}  default_backend nodes
${Object.values(elsewhere)
  .map((address, index) => `backend elsewhere${index}\n  server only ${address}\n`)
  .join('')}backend nodes
  http-response set-header x-node %s
  option httpchk GET /health/ready
  timeout check 5s
  # A node whose database was slow once is not down.
  default-server check inter 250ms fall ${fall} rise 1
${nodes.map((node, index) => `  server node${index} ${node}`).join('\n')}
`,
  options: ['-db', '-f', join(folder, 'proxy.conf')],
})

/** What stands around the http block, for a process without root. */
export const inNginx = (folder: string, http: string) => `
daemon off;
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
${http}
}
`

const nginx = ({ port, nodes, folder }: Settings) => ({
  file: inNginx(
    folder,
    `  upstream nodes {
    ${nodes.map((node) => `server ${node} max_fails=1 fail_timeout=2s;`).join(' ')}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://nodes;
      proxy_set_header Host $http_host;
      proxy_connect_timeout 2s;
    }
  }`,
  ),
  options: ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'proxy.conf')],
})

const kinds = { haproxy, nginx }

export const isInstalled = (name: ProxyName): boolean => spawnSync(name, ['-v']).status === 0

/** @param nodes `host:port` of each */
export async function startProxy(
  name: ProxyName,
  nodes: readonly string[],
  settings: Partial<Pick<Settings, 'port' | 'elsewhere' | 'fall' | 'file'>> = {},
): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), `vestibule-${name}-`))
  const { port = await freePort(), elsewhere = {}, fall = 3 } = settings
  const { file, options } = kinds[name]({ port, nodes, folder, elsewhere, fall })
  writeFileSync(join(folder, 'proxy.conf'), settings.file?.(port, folder) ?? file)
  const proxy: ChildProcess = spawn(name, options, { stdio: 'ignore' })
  const cleared = cleanUpOnExit({ pid: proxy.pid, folders: [folder] })
  const ended = once(proxy, 'close')
  await Promise.race([listens(port), ended])
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      proxy.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
      cleared()
    },
  }
}

/** Resolves once something accepts connections at a port of this machine. */
async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, '127.0.0.1')
    const accepted = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (accepted) return
    await wait(50)
  }
  throw new Error(`nothing listens at port ${port}`)
}
