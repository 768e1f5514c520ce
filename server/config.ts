import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { parseEnv } from 'node:util'
import { coldStorageProblems, missingInProduction, passkeyProblems } from './boot-guard.ts'
import { readLimits } from './limit-settings.ts'
import type { LimitRules } from './platform/limit-rules.ts'
import { readPrivateText } from './platform/private-file.ts'
import { WrongValue } from './platform/wrong-value.ts'
import { path, projectFolder } from './setting-checks.ts'
import { fileSetting, type Known, type Setting, settings, type Values } from './settings.ts'
import { nearSetting, type UnknownSetting, unknownLine, unknownSettings } from './unknown-settings.ts'

/** Every setting, validated. Secrets cannot be printed; call `reveal()` where they are used. */
export interface Config extends Values {
  /** NODE_ENV=production */
  production: boolean
  /** How often something may happen, with the numbers of LIMIT_<NAME>=<count>/<seconds>. */
  limits: LimitRules
}

/** Invalid settings; the message names all of them in one line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Environment = Record<string, string | undefined>

const envFile = join(projectFolder, '.env')

/** The process environment, with defaults from the file `.env` in the project's folder. */
export function environment(): Environment {
  withEnvFile(() => loadEnvFile(envFile))
  return process.env
}

/** What the operator wrote and no setting reads, in the process environment and in `.env`. */
export const unknownInEnvironment = (): UnknownSetting[] =>
  unknownSettings(environment(), withEnvFile(() => Object.keys(parseEnv(readFileSync(envFile, 'utf8')))) ?? [])

function withEnvFile<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/**
 * Reads and checks every setting. An empty value counts as not set.
 *
 * @throws ConfigError with every setting that is invalid or, in production, missing
 */
export function readConfig(env: Environment): Config {
  const known: Known & Record<string, unknown> = { production: env.NODE_ENV === 'production' }
  const problems: string[] = []
  const refuse = (setting: string, reason: string) => void problems.push(`${setting} ${reason}`)
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const { check, fallback } = setting
    const variable = givenAs(setting, env)
    try {
      const text = textOf(setting, env) ?? (typeof fallback === 'function' ? fallback(known) : fallback)
      known[name] = text === undefined ? undefined : check(text)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      refuse(variable, error.message)
      // A harmless value for defaults that depend on it; the start is refused anyway.
      if (variable === 'BASE_URL') known.baseUrl = 'https://invalid.invalid'
    }
  }
  // Every setting has been set above; if one failed, an error is thrown below.
  const config = { ...known, limits: readLimits(env, refuse, nearSetting) } as unknown as Config
  problems.push(...passkeyProblems(config, problems))
  problems.push(...coldStorageProblems(config, problems))
  if (config.production) problems.push(...missingInProduction(config, problems))
  if (problems.length > 0) {
    // What is missing may be there under a misspelled name.
    throw new ConfigError([...problems, ...unknownSettings(env, []).map(unknownLine)].join('; '))
  }
  return config
}

/** The variable that a refusal names: of a secret the one with the file, if that alone is set. */
const givenAs = ({ env: variable, secret }: Setting<unknown>, env: Environment) =>
  secret && !env[variable]?.trim() && env[fileSetting(variable)]?.trim() ? fileSetting(variable) : variable

/** What the operator gave, in the variable or in the file that it names. */
function textOf({ env: variable, secret }: Setting<unknown>, env: Environment): string | undefined {
  const text = env[variable]?.trim() || undefined
  const file = secret && env[fileSetting(variable)]?.trim()
  if (!file) return text
  if (text !== undefined) throw new WrongValue(`and ${fileSetting(variable)} are both set: keep one`)
  return readPrivateText(path(file))
}
