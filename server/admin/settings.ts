import { type Setting, settings } from '#server/settings.ts'
import type { Command } from './command.ts'

/** The table of docs/operations.md. */
export function settingsTable(): string {
  const rows = Object.values<Setting<unknown>>(settings).map(({ env, meaning, fallback, shownDefault }) => {
    const byDefault = shownDefault ?? (typeof fallback === 'string' ? fallback : '')
    return `| \`${env}\` | ${byDefault && !shownDefault ? `\`${byDefault}\`` : byDefault} | ${meaning} |`
  })
  const limits =
    '| `LIMIT_<NAME>` | see security.md | `<count>/<seconds>` for one of the limits, such as `LIMIT_AUTH_TYPE=30/60`. |'
  return ['| setting | default | meaning |', '|---|---|---|', ...rows, limits].join('\n')
}

export const command: Command = {
  usage: '',
  summary: 'list every setting with its default and meaning',
  options: {},
  async run({ say }) {
    say(settingsTable())
    return 0
  },
}
