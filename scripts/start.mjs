// `npm start`: installs and builds what is missing, then starts the server.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, projectNode, root } from './prepare.mjs'
import { orEnd, runProgram } from './run-program.mjs'

const main = join(root, 'server', 'main.ts')

orEnd(prepare)
// --max-semi-space-size in package.json: short-lived objects get 8 MB instead of 16 before they are collected, which
// halves what a busy server keeps of the machine's memory.
// npm finds the project's own Node first once it is installed; the first start still runs on the machine's.
if (Number(process.versions.node.split('.')[0]) >= 24) await import(pathToFileURL(main).href)
else runProgram(projectNode, [...process.execArgv, main])
