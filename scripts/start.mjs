// `npm start`: checks the settings, installs and builds what is missing, then starts the server.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPackages, prepare, projectNode, root } from './prepare.mjs'
import { orEnd, runProgram } from './run-program.mjs'

const load = (file) => import(pathToFileURL(join(root, 'server', file)).href)

// In package.json: short-lived objects get 8 MB instead of 16 before they are collected (--max-semi-space-size), which halves
// what a busy server keeps of the machine's memory, and never less (--min-semi-space-size). MALLOC_ARENA_MAX saves 8 MB.
// npm finds the project's own Node first once it is installed; only the first start may run on an older one.
if (Number(process.versions.node.split('.')[0]) < 24) {
  orEnd(installPackages)
  runProgram(projectNode, [...process.execArgv, join(root, 'scripts', 'start.mjs')])
} else {
  await load('runtime.mjs')
  const { configOrExit } = await load('config-or-exit.ts')
  configOrExit()
  orEnd(prepare)
  await load('main.mjs')
}
