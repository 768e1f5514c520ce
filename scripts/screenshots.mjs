// `npm run screenshots`: takes the README's pictures (e2e/screenshots.ts). Installs, builds and finds a browser first.
import { join } from 'node:path'
import { prepareBrowser } from './browser.mjs'
import { prepare, projectNode, root } from './prepare.mjs'
import { orEnd, runProgram } from './run-program.mjs'

orEnd(prepare)
process.env.CHROMIUM_PATH = orEnd(prepareBrowser)
runProgram(projectNode, [join(root, 'e2e', 'screenshots.ts')])
