import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { cleanUpOnExit } from '#test/watchdog.mjs'

type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
export type Values = Record<string, Value>
// biome-ignore lint/suspicious/noExplicitAny: an object of Kubernetes, which its own schema has checked.
export type Rendered = Record<string, any>

const chart = join(import.meta.dirname, '..', '..', 'deploy', 'helm', 'vestibule')
// Kubernetes reads YAML 1.1, where `on` is true and 0440 is octal.
const read = (path: string) => readFileSync(join(chart, path), 'utf8')
// Debian's, as it installs them: no module is fetched.
const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '', CGO_ENABLED: '0' }

let program: string | undefined
/** Go, its templates and Sprig; undefined where the machine does not have them. */
export function chartRenderer(): string | undefined {
  if (program) return program
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-chart-'))
  cleanUpOnExit({ folders: [folder] })
  const file = join(folder, 'render')
  const built = spawnSync('go', ['build', '-o', file, join(import.meta.dirname, 'render.go')], {
    env: { ...process.env, ...go },
  })
  program = built.status === 0 ? file : undefined
  return program
}

const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)

/** As Helm: maps come together, everything else replaces, and null takes a default away. */
function coalesce(defaults: Values, given: Values): Values {
  const all: Values = { ...defaults }
  for (const [name, value] of Object.entries(given)) {
    const before = all[name]
    if (value === null) delete all[name]
    else all[name] = isMap(value) && isMap(before) ? coalesce(before, value) : value
  }
  return all
}

/**
 * The objects that `helm install portal` with these values gives to Kubernetes.
 *
 * @param cluster what `lookup` finds, by `Secret/name`
 * @param only the file of the one template to show
 * @throws what the schema of the values, or a template, says
 */
export function renderChart(given: Values, cluster: Record<string, Rendered> = {}, only?: string): Rendered[] {
  const values = coalesce(parse(read('values.yaml'), { version: '1.1' }), given)
  const ajv = new Ajv({ strict: false, allErrors: true })
  if (!ajv.validate(JSON.parse(read('values.schema.json')), values)) throw new Error(ajv.errorsText())
  const { name, version, appVersion } = parse(read('Chart.yaml'))
  const context = {
    Values: values,
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'portal', Namespace: 'default', Service: 'Helm' },
  }
  const templates = Object.fromEntries(
    readdirSync(join(chart, 'templates')).map((file) => [file, read(join('templates', file))]),
  )
  const { status, stdout, stderr } = spawnSync(chartRenderer() ?? 'none', [], {
    input: JSON.stringify({ templates, context, cluster }),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const files: Record<string, string> = JSON.parse(stdout)
  const texts = Object.entries(files).flatMap(([file, text]) => (only === undefined || file === only ? [text] : []))
  return texts.flatMap((text) =>
    parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
      // A key twice, and everything else that YAML forbids.
      const [error] = document.errors
      if (error) throw error
      const object = document.toJS()
      return object ? [object] : []
    }),
  )
}
