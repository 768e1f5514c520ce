import { unknownInEnvironment } from '#server/config.ts'
import { type LimitRule, limitRules, limitSetting } from '#server/platform/limit-rules.ts'
import { fileSetting, type Setting, settings } from '#server/settings.ts'
import { unknownLine } from '#server/unknown-settings.ts'
import type { Command } from './command.ts'

/** The tables of settings and limits in docs/operations.md. */
export function settingsTables(): string {
  const rows = Object.values<Setting<unknown>>(settings).map(({ env, meaning, fallback, shownDefault, secret }) => {
    const names = secret ? `\`${env}\`, \`${fileSetting(env)}\`` : `\`${env}\``
    const byDefault = shownDefault ?? (typeof fallback === 'string' ? fallback : '')
    return `| ${names} | ${byDefault && !shownDefault ? `\`${byDefault}\`` : byDefault} | ${meaning} |`
  })
  const limits = Object.entries<LimitRule>(limitRules).map(([name, { points, seconds, pause }]) => {
    const then = pause ? `, then a pause of ${pause.firstSeconds} s, doubling to ${pause.maxSeconds} s` : ''
    return `| \`${limitSetting(name)}\` | \`${points}/${seconds}\`${then} |`
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
  summary: 'list every setting with its default and meaning, every limit, and what looks like a misspelled setting',
  options: {},
  async run({ say }) {
    say(settingsTables())
    for (const unknown of unknownInEnvironment()) say(`\nWarning: ${unknownLine(unknown)}`)
    return 0
  },
}
