import { type LimitRule, limitRules } from '#server/platform/limits/limit-rules.ts'
import { type Setting, settings } from '#server/settings.ts'
import type { Command } from './command.ts'

/** The tables of settings and limits in docs/operations.md. */
export function settingsTables(): string {
  const rows = Object.values<Setting<unknown>>(settings).map(({ env, meaning, fallback, shownDefault }) => {
    const byDefault = shownDefault ?? (typeof fallback === 'string' ? fallback : '')
    return `| \`${env}\` | ${byDefault && !shownDefault ? `\`${byDefault}\`` : byDefault} | ${meaning} |`
  })
  const limits = Object.entries<LimitRule>(limitRules).map(([name, { points, seconds, pause }]) => {
    const variable = `LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
    const then = pause ? `, then a pause of ${pause.firstSeconds} s, doubling to ${pause.maxSeconds} s` : ''
    return `| \`${variable}\` | \`${points}/${seconds}\`${then} |`
  })
  return [
    '| setting | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
    '| limit | default, `<count>/<seconds>` |',
    '|---|---|',
    ...limits,
  ].join('\n')
}

export const command: Command = {
  usage: '',
  summary: 'list every setting with its default and meaning, and every limit',
  options: {},
  async run({ say }) {
    say(settingsTables())
    return 0
  },
}
