import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Puts values in place of `${NAME}`; in a comment `${…}` stays. */
export const fillIn = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`there is no value for ${name}`)
    return value
  })

const names = [
  'SUPERUSER_PASSWORD',
  'REPLICATION_PASSWORD',
  'OWNER_PASSWORD',
  'DATABASE_PASSWORD',
  'BACKUP_PASSPHRASE',
] as const

/** The passwords of a cluster, made once and kept in its folder. */
export function secretsOf(folder: string): Record<(typeof names)[number], string> {
  const file = join(folder, 'secrets.json')
  if (!existsSync(file)) {
    const made = names.map((name) => [name, randomBytes(24).toString('hex')])
    writeFileSync(file, JSON.stringify(Object.fromEntries(made)), { mode: 0o600 })
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}
