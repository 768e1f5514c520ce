import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { cleanUpOnExit } from '#test/watchdog.mjs'

/** A mounted disk that loses what was not synced when the power fails. */
export interface LossyDisk {
  /** The power fails: from now on nothing reaches the disk. Comes back at once. */
  cut(): void
  /** The power is back: what was synced is there. Everything that used the disk must have ended. */
  mountAgain(): Promise<void>
  remove(): Promise<void>
}

/** Whether this machine can have such a disk: root may mount, and FUSE and its compiler's files are there. */
export function canMountLossyDisk(): boolean {
  try {
    statSync('/dev/fuse')
    execFileSync('pkg-config', ['--exists', 'fuse3'])
    execFileSync('gcc', ['--version'], { stdio: 'ignore' })
    return process.getuid?.() === 0
  } catch {
    return false
  }
}

/** Compiles `lossy-disk.c`, which describes what is lost, and mounts an empty disk on a data folder. */
export async function mountLossyDisk(dataDir: string): Promise<LossyDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-lossy-'))
  const program = join(folder, 'lossy-disk')
  const flags = execFileSync('pkg-config', ['--cflags', '--libs', 'fuse3'], { encoding: 'utf8' }).trim().split(/\s+/)
  execFileSync('gcc', ['-O2', '-o', program, join(import.meta.dirname, 'lossy-disk.c'), ...flags])
  const cleared = cleanUpOnExit({ folders: [folder] })
  let disk = await mount()
  // PostgreSQL's account must get through to its folder; a folder that is there is used in place of one below /var/lib.
  chmodSync(dataDir, 0o755)
  mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 })

  async function mount() {
    const child = spawn(program, [folder, dataDir, '-f', '-s', '-o', 'allow_other,default_permissions'])
    const stopped = cleanUpOnExit({ pid: child.pid })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    const ended = once(child, 'close').then(stopped)
    while (statSync(dataDir).dev === statSync(dirname(dataDir)).dev) {
      if (child.exitCode !== null) throw new Error(`the lossy disk was not mounted: ${output}`)
      await wait(5)
    }
    return { child, ended }
  }
  async function unmount() {
    await disk.ended
    execFileSync('umount', ['--lazy', dataDir])
  }
  return {
    cut: () => void disk.child.kill('SIGKILL'),
    async mountAgain() {
      await unmount()
      disk = await mount()
    },
    async remove() {
      disk.child.kill('SIGKILL')
      await unmount()
      rmSync(folder, { recursive: true, force: true })
      cleared()
    },
  }
}
