import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseStartError, type Location } from './location.ts'
import { clusterFolder, findLastError, openOwnedFile, runProgram } from './programs.ts'

/** The passwords of the two roles. */
export interface Credentials {
  owner: string
  app: string
}

/** What a letter is, for trigrams: with C, å and ö are none, and a search for Åsa would read every row. */
const ctype = { linux: 'C.UTF-8', darwin: 'en_US.UTF-8' }[process.platform as string]

const credentialsFile = 'credentials.json'

/** Reads the credentials that `initialiseCluster` stored. */
export const readCredentials = (place: Location): Credentials =>
  JSON.parse(readFileSync(join(place.base, credentialsFile), 'utf8')) as Credentials

export const isInitialised = (place: Location): boolean => existsSync(clusterFolder(place))

/**
 * Initialises the cluster atomically: roles and database are created before it is renamed to its final name.
 */
export async function initialiseCluster(place: Location): Promise<void> {
  const unfinished = join(place.base, 'cluster.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  const credentials: Credentials = { owner: newPassword(), app: newPassword() }
  const passwordFile = join(place.base, 'password')
  rmSync(passwordFile, { force: true })
  write(place, 'password', newPassword())
  try {
    await runProgram(place, 'initdb', [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      ...(ctype ? [`--lc-ctype=${ctype}`] : []),
      '--locale-provider=icu',
      '--icu-locale=sv',
    ])
  } finally {
    rmSync(passwordFile)
  }
  const statements = [
    `create role vestibule_owner login createdb password '${credentials.owner}'`,
    `create role vestibule_app login password '${credentials.app}'`,
    'create database vestibule owner vestibule_owner',
    'revoke all on database vestibule from public',
    'grant connect on database vestibule to vestibule_app',
  ]
  const answer = await runProgram(
    place,
    'postgres',
    ['--single', '-D', unfinished, 'postgres'],
    `${statements.join('\n')}\n`,
  )
  if (answer.includes('ERROR:'))
    throw new DatabaseStartError(`the new database could not be set up: ${findLastError(answer)}`)
  rmSync(join(place.base, credentialsFile), { force: true })
  write(place, credentialsFile, JSON.stringify(credentials))
  await rename(unfinished, clusterFolder(place))
  // An unfinished cluster is deleted at the next start: the new name must be on disk before there is anything in it.
  if (process.platform === 'win32') return
  const folder = openSync(place.base, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

function write(place: Location, name: string, text: string): void {
  const file = openOwnedFile(place, name, 'create')
  writeFileSync(file, text, { flush: true })
  closeSync(file)
}

const newPassword = () => randomBytes(24).toString('base64url')
