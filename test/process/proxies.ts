import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#test/free-port.ts'
import { cleanUpOnExit } from '#test/watchdog.mjs'

/** A reverse proxy of Debian's in front of several nodes, on a free port. */
export interface ReverseProxy {
  url: string
  stop(): Promise<void>
}

export type ProxyName = 'haproxy' | 'nginx'

/** As in docs/operations.md. */
const haproxy = (port: number, nodes: readonly string[], folder: string) => ({
  file: `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 30s
  option redispatch
frontend portal
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  option httpchk GET /health/ready
  default-server check inter 500ms fall 1 rise 1
${nodes.map((node, index) => `  server node${index} ${node}`).join('\n')}
`,
  options: ['-db', '-f', join(folder, 'proxy.conf')],
})

const nginx = (port: number, nodes: readonly string[], folder: string) => ({
  file: `
daemon off;
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  upstream nodes {
    ${nodes.map((node) => `server ${node} max_fails=1 fail_timeout=2s;`).join(' ')}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://nodes;
      proxy_set_header Host $http_host;
      proxy_connect_timeout 2s;
    }
  }
}
`,
  options: ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'proxy.conf')],
})

const kinds = { haproxy, nginx }

export const isInstalled = (name: ProxyName): boolean => spawnSync(name, ['-v']).status === 0

/** @param nodes `host:port` of each */
export async function startProxy(name: ProxyName, nodes: readonly string[]): Promise<ReverseProxy> {
  const folder = mkdtempSync(join(tmpdir(), `vestibule-${name}-`))
  const port = await freePort()
  const { file, options } = kinds[name](port, nodes, folder)
  writeFileSync(join(folder, 'proxy.conf'), file)
  const proxy: ChildProcess = spawn(name, options, { stdio: 'ignore' })
  const cleared = cleanUpOnExit({ pid: proxy.pid, folders: [folder] })
  const ended = once(proxy, 'close')
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      proxy.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
      cleared()
    },
  }
}
