import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePostgresAccount } from '#server/embedded-postgres/location.ts'
import type { Account } from '#server/embedded-postgres/root-base.ts'
import { fillIn, secretsOf } from './fill-in.ts'
import { runAs } from './processes.ts'

/** The one machine on which everything runs. */
export const host = '127.0.0.1'
/** Of the three machines that it stands for. */
export const names = ['one', 'two', 'three']

/** What has a port; the later ones of three follow the first. */
const offsets = { haproxy: 0, postgres: 1, etcd: 4, etcdPeer: 7, patroni: 10, portal: 13, copy: 16 }

/** Where a cluster is: its folder, its passwords, its ports, and the account of its database. */
export interface Place {
  folder: string
  secrets: ReturnType<typeof secretsOf>
  /** Set when this process is root: PostgreSQL itself refuses to run as root. */
  account: Account | undefined
  portOf(what: keyof typeof offsets, index?: number): number
  /** Makes a folder of the database's account. */
  makeFolder(path: string): void
  /** Fills a template of this folder in. */
  write(template: string, target: string, values: Record<string, string>): void
  /** Runs a program of the database to its end; resolves with what it printed. */
  run(program: string, ...options: string[]): Promise<string>
}

/** Makes the folder, unless it is there. */
export function preparePlace(folder: string, ports: number, say: (line: string) => void): Place {
  const account = process.getuid?.() === 0 ? ensurePostgresAccount(say) : undefined
  const own = (path: string) => account && chownSync(path, account.uid, account.gid)
  const makeFolder = (path: string) => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    own(path)
  }
  makeFolder(folder)
  return {
    folder,
    secrets: secretsOf(folder),
    account,
    portOf: (what, index = 0) => ports + offsets[what] + index,
    makeFolder,
    write(template, target, values) {
      writeFileSync(target, fillIn(readFileSync(join(import.meta.dirname, template), 'utf8'), values), { mode: 0o600 })
      own(target)
    },
    run: (program, ...options) => runAs(account, folder, program, options),
  }
}

/** Debian's folder of the newest PostgreSQL. */
export function postgresPrograms(): string {
  const versions = '/usr/lib/postgresql'
  const newest = readdirSync(versions).sort((one, other) => Number(other) - Number(one))[0]
  return join(versions, newest ?? '', 'bin')
}
