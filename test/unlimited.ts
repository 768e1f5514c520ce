import { limitRules } from '#server/platform/limits/limit-rules.ts'

const settingOf = (name: string) => `LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** Settings that make every rate limit unreachable, for tests of the code behind the limits. */
export const unlimited: Record<string, string> = Object.fromEntries(
  Object.keys(limitRules).map((name) => [settingOf(name), '1000000/60']),
)
