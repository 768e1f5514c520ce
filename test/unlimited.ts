import { limitRules, limitSetting } from '#server/platform/limit-rules.ts'

/** Settings that make every rate limit unreachable, for tests of the code behind the limits. */
export const unlimited: Record<string, string> = Object.fromEntries(
  Object.keys(limitRules).map((name) => [limitSetting(name), '1000000/60']),
)
