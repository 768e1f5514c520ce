// `npm run bench`, `admin`, `types:db`: installs what is missing, then runs a program of the project with its own Node.
// Usage: node scripts/run.mjs [--web] <program in TypeScript or JavaScript> [options]; --web builds the web app too
import { installPackages, prepare, projectNode } from './prepare.mjs'
import { orEnd, runProgram } from './run-program.mjs'

const [first, ...rest] = process.argv.slice(2)
const needsWeb = first === '--web'
orEnd(needsWeb ? prepare : installPackages)
runProgram(projectNode, needsWeb ? rest : [first, ...rest])
