// In place of docker, in the folder of compose.yaml: `docker compose run`, with no flag that it lacks. POSTGRES is the address
// of the host that compose.yaml calls `database`.
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { parseArgs, parseEnv } from 'node:util'
import { parse } from 'yaml'
import type { Rendered } from '../chart/render.ts'
import { type Container, imageEnv, runContainer } from './container.ts'

const settings: Record<string, string | undefined> = parseEnv(readFileSync('.env', 'utf8'))
const interpolated = (text: string) =>
  text.replace(/\$\$|\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name, kind, rest) => {
    if (name === undefined) return '$'
    const value = settings[name]
    if (value) return value
    if (kind === '?') throw new Error(`${name}: ${rest}`)
    return kind === '-' ? rest : ''
  })
const read = (file: string): Rendered =>
  existsSync(file) ? parse(interpolated(readFileSync(file, 'utf8')), { merge: true }) : {}

const project = read('compose.yaml')
const override = read('compose.override.yaml')

const { values, positionals, tokens } = parseArgs({
  args: process.argv.slice(2),
  options: { rm: { type: 'boolean' }, volume: { type: 'string', short: 'v', multiple: true } },
  allowPositionals: true,
  strict: false,
  tokens: true,
})
// Options stand before the service; what follows it belongs to the command.
const places = tokens.filter(({ kind }) => kind === 'positional').map(({ index }) => index)
const words = process.argv.slice(2).slice((places[2] ?? 0) + 1)
const [compose, run, name = ''] = positionals
const options = tokens.filter((token) => token.kind === 'option' && token.index < (places[2] ?? 0))
for (const option of options)
  if (option.kind === 'option' && !['--rm', '--volume', '-v'].includes(option.rawName))
    throw new Error(`unknown flag: ${option.rawName}`)
const service = project.services[name]
if (compose !== 'compose' || run !== 'run' || !service || !values.rm) throw new Error('docker compose run --rm SERVICE')
if (!service.read_only || service.cap_drop?.join() !== 'ALL') throw new Error('the container could write its root')

const more = override.services?.[name] ?? {}
const env: Record<string, string> = {
  ...imageEnv(),
  ...(parseEnv(readFileSync(service.env_file, 'utf8')) as Record<string, string>),
  ...service.environment,
  ...more.environment,
}
const mounts: Container['mounts'] = Object.fromEntries(service.tmpfs.map((path: string) => [path, 'tmpfs']))
const files = { ...project.secrets, ...override.secrets }
for (const secret of [...service.secrets, ...(more.secrets ?? [])])
  mounts[`/run/secrets/${secret}`] = { from: resolve(files[secret].file), readOnly: true }
const given = options.flatMap((option) =>
  option.kind === 'option' && option.rawName !== '--rm' && option.value ? [option.value] : [],
)
for (const volume of given) {
  const [from = '', to = '', mode] = volume.split(':')
  // Without a slash it is a volume of Docker's, which belongs to root.
  if (!isAbsolute(from)) throw new Error(`${from} is no path`)
  mounts[to] = { from, readOnly: mode === 'ro' }
}
const { status, stdout, stderr } = runContainer({ words, env, mounts, hosts: { database: process.env.POSTGRES ?? '' } })
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status ?? 1
