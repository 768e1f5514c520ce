import { join } from 'node:path'
import { loadEnvFile } from 'node:process'
import { missingInProduction } from './boot-guard.ts'
import { projectFolder, WrongValue } from './setting-checks.ts'
import { type Known, type Setting, settings, type Values } from './settings.ts'

/** A rate limit: `points` in `seconds`. */
export interface LimitSetting {
  points: number
  seconds: number
}

/** Every setting, validated. Secrets cannot be printed; call `reveal()` where they are used. */
export interface Config extends Values {
  /** NODE_ENV=production */
  production: boolean
  /** From LIMIT_<NAME>=<count>/<seconds>, by the limit's camelCase name. The limits themselves refuse unknown names. */
  limits: ReadonlyMap<string, LimitSetting>
}

/** Invalid settings; the message names all of them in one line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Environment = Record<string, string | undefined>

/** The process environment, with defaults from the file `.env` in the project's folder. */
export function environment(): Environment {
  try {
    loadEnvFile(join(projectFolder, '.env'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return process.env
}

/**
 * Reads and checks every setting. An empty value counts as not set.
 *
 * @throws ConfigError with every setting that is invalid or, in production, missing
 */
export function readConfig(env: Environment): Config {
  const known: Known & Record<string, unknown> = { production: env.NODE_ENV === 'production' }
  const problems: string[] = []
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const { env: variable, check, fallback } = setting
    try {
      const text = env[variable]?.trim() || (typeof fallback === 'function' ? fallback(known) : fallback)
      known[name] = text === undefined ? undefined : check(text)
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      problems.push(`${variable} ${error.message}`)
      // A harmless value for defaults that depend on it; the start is refused anyway.
      if (variable === 'BASE_URL') known.baseUrl = 'https://invalid.invalid'
    }
  }
  // Every setting has been set above; if one failed, an error is thrown below.
  const config = { ...known, limits: readLimits(env, problems) } as unknown as Config
  if (config.production) problems.push(...missingInProduction(config, problems))
  if (problems.length > 0) throw new ConfigError(problems.join('; '))
  return config
}

function readLimits(env: Environment, problems: string[]): Map<string, LimitSetting> {
  const limits = new Map<string, LimitSetting>()
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith('LIMIT_') || !text) continue
    const [, points = '', seconds = ''] = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,7})$/.exec(text) ?? []
    if (points === '') problems.push(`${variable} must be <count>/<seconds>, such as 30/60`)
    limits.set(limitName(variable), { points: Number(points), seconds: Number(seconds) })
  }
  return limits
}

const limitName = (variable: string) =>
  variable
    .slice('LIMIT_'.length)
    .toLowerCase()
    .replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
