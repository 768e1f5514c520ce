// Makes a fresh clone runnable: packages and the built web app. Plain JavaScript without any
// dependency, because nothing is installed yet, and any Node from 20 on may run it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const bin = join(modules, '.bin')

/** The Node binary installed as a dependency. */
export const projectNode = join(bin, process.platform === 'win32' ? 'node.cmd' : 'node')

/** The environment in which the project's own programs, its Node included, come first. */
export const projectEnvironment = () => ({ ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` })

/** Prints a progress message. */
export const say = (line) => console.log(line)

/** An error that the user can fix; printed as one line without a stack. */
export class Unprepared extends Error {}

/** Installs and builds what is missing or stale; fast when there is nothing to do. */
export function prepare() {
  installPackages()
  buildWeb()
}

/** Installs when node_modules does not match the lockfile. */
export function installPackages() {
  if (existsSync(projectNode) && isInstalled()) return
  say('Installing packages (the first time takes a minute) ...')
  // Development packages too: the web app is built here, also with NODE_ENV=production.
  const options = ['ci', '--include=dev', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = runNpm(options)
  if (status !== 0) throw new Unprepared(`npm ci failed${error ? `: ${error.message}` : ''}`)
  const version = spawnSync(projectNode, ['--version'], { encoding: 'utf8' }).stdout ?? ''
  if (Number(/^v([0-9]+)/.exec(version)?.[1] ?? 0) < 24) {
    throw new Unprepared(
      'npm ci did not bring Node 24: were the install scripts of the package "node" kept from running?',
    )
  }
}

/** Compares with npm's record of installed packages; optional packages differ between machines. */
function isInstalled() {
  const note = join(modules, '.package-lock.json')
  if (!existsSync(note)) return false
  const packagesOf = (path) => JSON.parse(readFileSync(path, 'utf8')).packages
  const installed = packagesOf(note)
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([name, { version, optional }]) => name === '' || optional || installed[name]?.version === version,
  )
}

/** Runs the npm that called us, with the machine's Node, because ours is about to be replaced. */
function runNpm(options) {
  const { npm_execpath: npm } = process.env
  const settings = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: npmEnvironment() }
  if (npm && /\.c?js$/.test(npm)) return spawnSync(machineNode(), [npm, ...options], settings)
  return spawnSync('npm', options, { ...settings, shell: process.platform === 'win32' })
}

// Without most npm_* variables of the calling npm, which the new one would read as settings.
function npmEnvironment() {
  const wanted =
    /^npm_config_(registry|cache|userconfig|globalconfig|proxy|https_proxy|http_proxy|noproxy|cafile|ca|strict_ssl)$/i
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || wanted.test(name))
  return { ...Object.fromEntries(kept), PATH: machinePath() }
}

const machinePath = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(modules))
    .join(delimiter)

function machineNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const folder = machinePath()
    .split(delimiter)
    .find((candidate) => existsSync(join(candidate, name)))
  return folder ? join(folder, name) : process.execPath
}

function buildWeb() {
  const stamp = join(root, 'dist', '.stamp')
  const sources = hashOf('web', 'contract', 'locales', 'scripts', 'vite.config.ts', 'package-lock.json')
  if (readIfThere(stamp) === sources) return
  say('Building the web app ...')
  const { status, stdout } = spawnSync(packageScript('build:web'), {
    cwd: root,
    shell: true,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...projectEnvironment(), NODE_ENV: 'production' },
  })
  if (status !== 0) throw new Unprepared(`the web app could not be built:\n${stdout}`)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, sources)
}

/** The text of a script in package.json. */
export const packageScript = (name) => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts[name]

function hashOf(...entries) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name))
    } else {
      hash
        .update(`${relative(root, path)}\0`)
        .update(readFileSync(path))
        .update('\0')
    }
  }
  for (const entry of entries) add(join(root, entry))
  return hash.digest('hex')
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
