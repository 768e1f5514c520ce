import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Command, UsageError } from './admin/command.ts'
import { environment, readConfig } from './config.ts'

enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'))

// Loaded on demand, so that `help` is fast and needs no settings.
const commands: Record<string, () => Promise<{ command: Command }>> = {
  'create-super-user': () => import('./admin/create-super-user.ts'),
  backup: () => import('./admin/backup.ts'),
  'audit move-months': () => import('./admin/audit-move-months.ts'),
  'audit verify': () => import('./admin/audit-verify.ts'),
  'clients add': () => import('./admin/clients-add.ts'),
  'clients list': () => import('./admin/clients-list.ts'),
  'clients show': () => import('./admin/clients-show.ts'),
  'clients rotate-secret': () => import('./admin/clients-rotate-secret.ts'),
  'clients remove': () => import('./admin/clients-remove.ts'),
  'factors reset': () => import('./admin/factors-reset.ts'),
  'jobs list': () => import('./admin/jobs-list.ts'),
  'jobs run': () => import('./admin/jobs-run.ts'),
  'keys list': () => import('./admin/keys-list.ts'),
  'keys replace-master': () => import('./admin/keys-replace-master.ts'),
  'keys rotate': () => import('./admin/keys-rotate.ts'),
  migrate: () => import('./admin/migrate.ts'),
  'outbox list': () => import('./admin/outbox-list.ts'),
  'outbox resend': () => import('./admin/outbox-resend.ts'),
  'outbox send-waiting': () => import('./admin/outbox-send-waiting.ts'),
  'quarantine end': () => import('./admin/quarantine-end.ts'),
  'quarantine start': () => import('./admin/quarantine-start.ts'),
  'passkeys move': () => import('./admin/passkeys-move.ts'),
  restore: () => import('./admin/restore.ts'),
  settings: () => import('./admin/settings.ts'),
}

const prefix = 'npm run admin --'

async function help(): Promise<void> {
  console.log(`Usage: ${prefix} <command> [options]\n`)
  for (const [name, load] of Object.entries(commands)) {
    const { command } = await load()
    console.log(`  ${`${name} ${command.usage}`.trimEnd()}\n      ${command.summary}`)
  }
}

/** @returns the exit code: 0 success, 1 failure, 2 usage error */
async function run(words: string[]): Promise<number> {
  if (words.length === 0 || ['help', '--help', '-h'].includes(words[0] ?? '')) {
    await help()
    return words.length === 0 ? 2 : 0
  }
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((candidate) => Object.hasOwn(commands, candidate))
  const load = name === undefined ? undefined : commands[name]
  if (name === undefined || !load) {
    console.error(`Unknown command "${words.slice(0, 2).join(' ')}". Run ${prefix} help for a list.`)
    return 2
  }
  const { command } = await load()
  const usage = `Usage: ${prefix} ${name} ${command.usage}`.trimEnd()
  try {
    const args = words.slice(name.split(' ').length)
    if (args.includes('--help') || args.includes('-h')) {
      console.log(`${usage}\n\n${command.summary}`)
      return 0
    }
    const { values, positionals } = parse(command, args)
    const config = readConfig(environment())
    return (await command.run({ config, values, positionals, say: (line) => console.log(line) })) ?? 0
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n${usage}`)
    return 2
  }
}

function parse({ options, positionals: most = 0 }: Command, args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: most > 0 })
    if (positionals.length > most) throw new UsageError(`unexpected argument "${positionals[most]}"`)
    // No command accepts an option more than once.
    return { values: values as Record<string, string | boolean | undefined>, positionals }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS'))
      throw new UsageError((error as Error).message)
    throw error
  }
}

const expected = [
  'BackupError',
  'ColdStorageError',
  'ConfigError',
  'DatabaseStartError',
  'MigrationError',
  'MasterKeyError',
]

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(expected.includes((error as Error).name) ? (error as Error).message : error)
  process.exitCode = (error as Error).name === 'ConfigError' ? 78 : 1
}
