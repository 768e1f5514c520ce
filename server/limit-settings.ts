import { type LimitName, type LimitRules, limitRules, limitSetting } from './platform/limit-rules.ts'
import { WrongValue } from './platform/wrong-value.ts'

const names = new Map(Object.keys(limitRules).map((name) => [limitSetting(name), name as LimitName]))

/** `LIMIT_…`, each of them. */
export const limitSettings: readonly string[] = [...names.keys()]

/**
 * The rules with the numbers of the settings. A variable that begins with LIMIT_ and is no limit is refused: a limit that
 * somebody believes to be stricter protects nobody.
 *
 * @param refuse is told of each setting that is wrong
 * @param near finds what was probably meant
 */
export function readLimits(
  env: Record<string, string | undefined>,
  refuse: (setting: string, reason: string) => void,
  near: (variable: string) => string | undefined,
): LimitRules {
  const rules: Record<string, LimitRules[LimitName]> = { ...limitRules }
  for (const [variable, value] of Object.entries(env)) {
    const text = value?.trim()
    if (!variable.startsWith('LIMIT_') || !text) continue
    const name = names.get(variable)
    const meant = near(variable)
    try {
      if (name) rules[name] = { ...limitRules[name], ...countAndSeconds(text) }
      else refuse(variable, `is no limit${meant ? `: ${meant} is` : ' (npm run admin -- settings lists them)'}`)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      refuse(variable, error.message)
    }
  }
  return rules as LimitRules
}

function countAndSeconds(text: string): { points: number; seconds: number } {
  const [, points = '', seconds = ''] = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,7})$/.exec(text) ?? []
  if (points === '') throw new WrongValue('must be <count>/<seconds>, such as 30/60')
  return { points: Number(points), seconds: Number(seconds) }
}
