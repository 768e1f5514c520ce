// In place of kubectl, for the folder in CLUSTER: the commands that the documentation uses, with no flag that kubectl lacks.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import type { Rendered } from '../chart/render.ts'
import { runInPod } from './cluster.ts'

const folder = process.env.CLUSTER ?? ''
const words = process.argv.slice(2)
const jobFile = (job: string) => join(folder, `${job.replace('/', '-')}.json`)

function exec() {
  const end = words.indexOf('--')
  const { positionals } = parseArgs({ args: words.slice(1, end), allowPositionals: true })
  const [kind, name] = positionals[0]?.split('/') ?? []
  const objects: Rendered[] = JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8'))
  const found = objects.find((object) => object.kind === 'Deployment' && object.metadata.name === name)
  const [program, ...inner] = words.slice(end + 1)
  // The image has no shell, and nothing in its PATH.
  if (positionals.length !== 1 || kind !== 'deploy' || !found || program !== '/nodejs/bin/node')
    throw new Error(`not found: ${words.join(' ')}`)
  return runInPod(folder, found.spec.template, inner)
}

function create() {
  parseArgs({ args: words.slice(1), options: { filename: { type: 'string', short: 'f' } } })
  const job: Rendered = parse(readFileSync(0, 'utf8'), { version: '1.1' })
  const file = jobFile(`job/${job.metadata.name}`)
  if (job.kind !== 'Job' || existsSync(file)) throw new Error('is no job, or exists already')
  writeFileSync(file, JSON.stringify(runInPod(folder, job.spec.template)))
  return { status: 0, stdout: `job.batch/${job.metadata.name} created\n`, stderr: '' }
}

function ofJob() {
  const options = { for: { type: 'string' }, timeout: { type: 'string' } } as const
  const { positionals } = parseArgs({
    args: words.slice(1),
    options: words[0] === 'wait' ? options : {},
    allowPositionals: true,
  })
  const file = jobFile(positionals[0] ?? '')
  const { status, stdout, stderr } = JSON.parse(readFileSync(file, 'utf8'))
  if (words[0] === 'wait') return { status, stdout: 'condition met\n', stderr: '' }
  if (words[0] === 'logs') return { status: 0, stdout: stdout + stderr, stderr: '' }
  rmSync(file)
  return { status: 0, stdout: 'job deleted\n', stderr: '' }
}

const commands: Record<string, () => { status: number | null; stdout: string; stderr: string }> = {
  exec,
  create,
  wait: ofJob,
  logs: ofJob,
  delete: ofJob,
}
const command = commands[words[0] ?? '']
if (!command) throw new Error(`kubectl ${words[0]} is not known here`)
const { status, stdout, stderr } = command()
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status ?? 1
