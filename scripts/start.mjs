// `npm start`: checks the settings, installs and builds what is missing, then starts the server.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPackages, prepare, projectNode, root } from './prepare.mjs'
import { orEnd, runProgram } from './run-program.mjs'

const load = (file) => import(pathToFileURL(join(root, 'server', file)).href)

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
