// In place of systemd-run, where systemd is not the first process: the environment, the files and the credentials of a transient unit.
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const folder = 'FOLDER'
const words = process.argv.slice(2)
const given = words.findIndex((word) => !word.startsWith('--'))
const option = (name) =>
  words.slice(0, given).flatMap((word) => (word.startsWith(`--${name}=`) ? [word.slice(name.length + 3)] : []))
const properties = option('property')
const valuesOf = (name) =>
  properties.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))
const [unit] = option('unit')
const here = (text) => text.replaceAll(`/run/credentials/${unit}`, `${folder}/credentials`)
for (const credential of valuesOf('LoadCredential')) {
  const [name, path] = credential.split(':')
  copyFileSync(path, `${folder}/credentials/${name}`)
}
const pairs = valuesOf('Environment').flatMap((line) => line.trim().split(/\s+/))
const environment = Object.fromEntries(
  pairs.map((pair) => [pair.split('=')[0], here(pair.slice(pair.indexOf('=') + 1))]),
)
for (const path of valuesOf('EnvironmentFile')) Object.assign(environment, parseEnv(readFileSync(path, 'utf8')))
const command = words.slice(given).map((word) => here(word.replaceAll('$$', '$')))
writeFileSync(`${folder}/properties`, JSON.stringify(properties))
writeFileSync(`${folder}/words`, JSON.stringify(command))
const { status } = spawnSync(command[0], command.slice(1), {
  cwd: valuesOf('WorkingDirectory')[0],
  env: environment,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
