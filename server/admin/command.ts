import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '#server/config.ts'

/** What the operator typed is wrong; the usage of the command is shown with it. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What a command gets to work with. */
export interface Call {
  config: Config
  values: Record<string, string | boolean | undefined>
  positionals: string[]
  /** Writes one line to standard output. */
  say: (line: string) => void
}

/** A command of `npm run admin`; one file each. */
export interface Command {
  /** Its options as the operator types them, after the name. */
  usage: string
  summary: string
  options: ParseArgsOptionsConfig
  /** At most this many words after the name and its options. */
  positionals?: number
  /** @returns the exit code; nothing means 0 */
  run(call: Call): Promise<number | undefined>
}
