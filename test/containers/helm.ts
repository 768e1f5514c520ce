// In place of helm: `template --show-only`, rendered as the chart's tests do.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { parse, stringify } from 'yaml'
import { renderChart } from '../chart/render.ts'

const [command, ...words] = process.argv.slice(2)
if (command === 'template') {
  const { positionals, values } = parseArgs({
    args: words,
    options: {
      values: { type: 'string', short: 'f' },
      'show-only': { type: 'string', short: 's' },
      'set-json': { type: 'string' },
    },
    allowPositionals: true,
  })
  const [release, chart] = positionals
  const { values: file, 'show-only': only = '', 'set-json': set = '' } = values
  if (release !== 'portal' || chart !== 'deploy/helm/vestibule' || !file)
    throw new Error('template portal deploy/helm/vestibule')
  const [, name = '', json = ''] = /^(\w+)=(.*)$/s.exec(set) ?? []
  const given = { ...parse(readFileSync(file, 'utf8'), { version: '1.1' }), [name]: JSON.parse(json) }
  const found = renderChart(given, {}, basename(only))
  if (found.length === 0) throw new Error(`could not find template ${only} in chart`)
  process.stdout.write(found.map((object) => stringify(object, { version: '1.1' })).join('---\n'))
} else throw new Error(`helm ${command} is not known here`)
