import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '#server/config.ts'

/** Invalid arguments. The usage of the command is printed with the message. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The input of a command. */
export interface CommandContext {
  config: Config
  values: Record<string, string | boolean | undefined>
  positionals: string[]
  /** Prints one line to standard output. */
  say: (line: string) => void
}

/** A command of `npm run admin`; one file per command. */
export interface Command {
  /** The options, as shown after the command's name. */
  usage: string
  summary: string
  options: ParseArgsOptionsConfig
  /** The maximum number of positional arguments. */
  positionals?: number
  /** @returns the exit code; undefined means 0 */
  run(call: CommandContext): Promise<number | undefined>
}
