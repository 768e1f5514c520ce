// `npm run dev`: restarts the server and rebuilds the web app when a file changes.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { prepare, projectEnvironment, projectNode, root } from './prepare.mjs'
import { orEnd } from './run-program.mjs'

orEnd(prepare)
const settings = { cwd: root, stdio: 'inherit', env: projectEnvironment() }
const watched = ['server', 'contract', 'locales'].map((folder) => `--watch-path=${join(root, folder)}`)
const children = [
  spawn('vite', ['build', '--watch', '--logLevel=warn'], settings),
  spawn(projectNode, [...watched, '--watch-preserve-output', join('server', 'main.mjs')], settings),
]
const end = (signal) => {
  for (const child of children) child.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal))
for (const child of children) child.on('exit', () => end('SIGTERM'))
