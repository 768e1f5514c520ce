import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Module, verdictOf } from './module.ts'
import type { Plan } from './plans.ts'

const count = (modules: Module<never>[]) => {
  const of = (verdict: string) => modules.filter((module) => verdictOf(module) === verdict).length
  return `${of('passed')} | ${of('not applicable')} | ${of('not yet')}`
}

const row = (module: Module<never>) => {
  const { name, demands, notApplicable, notYet } = module
  const reason = notApplicable ?? notYet
  return `| \`${name}\` | ${demands} | ${verdictOf(module)}${reason ? `: ${reason}` : ''} |`
}

/** The modules of a plan; of one that does not exist here at all their names are enough. */
function section({ official, about, modules }: Plan, seen: Set<Module<never>>): string {
  const title = `## ${official}\n${about ? `${about}\n` : ''}`
  const [first] = modules
  if (first?.notYet) {
    const names = modules.map(({ name }) => `\`${name}\``).join(', ')
    return `${title}\n| modules | verdict |\n|---|---|\n| ${names} | not yet: ${first.notYet} |\n`
  }
  if (modules.every((module) => seen.has(module))) return title
  for (const module of modules) seen.add(module)
  return `${title}\n| module | what it demands | verdict |\n|---|---|---|\n${modules.map(row).join('\n')}\n`
}

/** docs/conformance.md: a text, and what the table says. */
export function pageOf(plans: Plan[]): string {
  const seen = new Set<Module<never>>()
  const summary = plans.map(({ name, modules }) => `| \`${name}\` | ${count(modules)} |`).join('\n')
  return readFileSync(join(import.meta.dirname, 'page.txt'), 'utf8')
    .replace('{summary}', () => summary)
    .replace('{plans}', () => plans.map((plan) => section(plan, seen)).join('\n'))
}
