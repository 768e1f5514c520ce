import { type Config, ConfigError, environment, readConfig } from './config.ts'

/** EX_CONFIG of sysexits.h: tells a service manager that a restart will not help. */
export const exitConfig = 78

/** The settings of this process; says in one line what is wrong with them, and ends. Needs no installed package. */
export function configOrExit(): Config {
  try {
    return readConfig(environment())
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`Vestibule cannot start: ${error.message}`)
    process.exit(exitConfig)
  }
}
