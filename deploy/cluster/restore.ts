import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { host, type Place, postgresPrograms } from './place.ts'

/** The addresses of the database: for the portals, and for who migrates. */
export type DatabaseUrls = Record<'DATABASE_URL' | 'DATABASE_OWNER_URL', string>

/** A restored copy, on a port of its own. */
export interface Copy {
  databaseUrls: DatabaseUrls
  stop(): Promise<void>
}

interface Parts {
  place: Place
  urlsAt(where: string): DatabaseUrls
  /** Of the server whose database is restored. */
  pgbackrest(...options: string[]): Promise<string>
}

/** Restores the database as it was at a moment, into a folder of its own, and starts it. */
export async function restoreCopy({ place, urlsAt, pgbackrest }: Parts, moment: Date): Promise<Copy> {
  const [target, port] = [join(place.folder, `copy-${moment.getTime()}`), place.portOf('copy')]
  const control = (...options: string[]) =>
    place.run(join(postgresPrograms(), 'pg_ctl'), '-D', target, '-w', ...options)
  place.makeFolder(target)
  // Archives what is still in the primary's newest file.
  await pgbackrest('check')
  const time = moment.toISOString().replace('T', ' ').replace('Z', '+00')
  const upTo = ['--type=time', `--target=${time}`, '--target-action=promote', '--archive-mode=off']
  await pgbackrest(`--pg1-path=${target}`, ...upTo, 'restore')
  // The copy stands alone: it waits for no other server.
  const where = `-p ${port} -c unix_socket_directories=${target} -c hba_file=${target}/pg_hba.conf`
  await control('-l', `${target}.log`, '-o', `${where} -c synchronous_standby_names=`, 'start')
  return {
    databaseUrls: urlsAt(`${host}:${port}/vestibule`),
    async stop() {
      await control('-m', 'immediate', 'stop')
      rmSync(target, { recursive: true, force: true })
    },
  }
}
