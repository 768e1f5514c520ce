import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { postgresPid, type ServerProcess, startServerProcess } from '../process/server-process.ts'
import type { LossyDisk } from './lossy-disk.ts'

const patience = 30_000

export interface Start {
  dataDir: string
  env: Record<string, string>
}

export async function startAgain(node: ServerProcess, start: Start): Promise<ServerProcess> {
  node.signal('SIGKILL')
  await node.ended
  const next = await startServerProcess(start)
  await next.ready
  await untilReady(next.url)
  return next
}

/** The portal or this process starts the database again; a portal that has ended is started like by systemd. */
export async function killDatabase(node: ServerProcess, databaseDir: string, start: Start): Promise<ServerProcess> {
  const pid = postgresPid(databaseDir)
  if (pid === undefined) throw new Error('no database runs')
  process.kill(pid, 'SIGKILL')
  await gone(pid)
  const ended = await Promise.race([node.ended.then(() => true), untilReady(node.url).then(() => false)])
  if (!ended) return node
  const next = await startServerProcess(start)
  await next.ready
  return next
}

/** Portal, disk and PostgreSQL are gone in one instant; then the power is back, and what was not synced is lost. */
export async function failPower(node: ServerProcess, disk: LossyDisk, dataDir: string): Promise<void> {
  const postmaster = postgresPid(dataDir)
  if (postmaster === undefined) throw new Error('no database runs')
  const pids = [postmaster, ...childrenOf(postmaster)]
  node.signal('SIGKILL')
  disk.cut()
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await node.ended
  await Promise.all(pids.map(gone))
  await disk.mountAgain()
}

const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && parentOf(pid) === parent)

function parentOf(pid: number): number | undefined {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    )
  } catch {
    return undefined
  }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await wait(5)
}

async function untilReady(url: string): Promise<void> {
  for (const since = performance.now(); performance.now() - since < patience; await wait(20)) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (response?.ok) return
  }
  throw new Error('not ready 30 seconds after a kill')
}
