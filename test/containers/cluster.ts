import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUpOnExit } from '#test/watchdog.mjs'
import type { Rendered } from '../chart/render.ts'
import { type Container, imageEnv, runContainer } from './container.ts'

// A cluster is a folder: secrets/NAME/KEY, claims/NAME for volumes that last, objects.json of a release.

const secretsOf = (folder: string, name: string): Record<string, string> => {
  const keys = readdirSync(join(folder, 'secrets', name))
  return Object.fromEntries(keys.map((key) => [key, readFileSync(join(folder, 'secrets', name, key), 'utf8')]))
}

/** Kubernetes replaces $(NAME) by what stands before, and $$ by a dollar. */
const expanded = (text: string, env: Record<string, string>) =>
  text.replace(/\$\$|\$\(([\w.-]+)\)/g, (found, name) => (found === '$$' ? '$' : (env[name] ?? found)))

function envOf(folder: string, { envFrom = [], env = [] }: Rendered): Record<string, string> {
  const all: Record<string, string> = { ...imageEnv() }
  for (const { secretRef } of envFrom) Object.assign(all, secretsOf(folder, secretRef.name))
  for (const { name, value, valueFrom } of env)
    all[name] = valueFrom
      ? (secretsOf(folder, valueFrom.secretKeyRef.name)[valueFrom.secretKeyRef.key] ?? '')
      : expanded(value, all)
  return all
}

/** The files of a volume, as the kubelet lays them for the group of the pod. */
function folderOf(folder: string, volume: Rendered, group: number): Container['mounts'][string] {
  if (volume.emptyDir) return 'tmpfs'
  if (volume.persistentVolumeClaim) return { from: join(folder, 'claims', volume.persistentVolumeClaim.claimName) }
  const place = mkdtempSync(join(tmpdir(), 'vestibule-volume-'))
  cleanUpOnExit({ folders: [place] })
  const laid = join(place, 'files')
  mkdirSync(laid, { mode: 0o755 })
  for (const { secret } of volume.projected.sources)
    for (const { key, path } of secret.items) {
      const text = secretsOf(folder, secret.name)[key]
      if (text === undefined) throw new Error(`secret ${secret.name} has no ${key}`)
      writeFileSync(join(laid, path), text, { mode: volume.projected.defaultMode })
      chownSync(join(laid, path), 0, group)
    }
  return { from: laid }
}

/** Runs Node with these words in the container of a pod. */
export function runInPod(folder: string, { spec }: Rendered, words?: readonly string[]) {
  const [container] = spec.containers
  const { runAsUser, runAsGroup, fsGroup } = spec.securityContext
  if (runAsUser !== 65532 || runAsGroup !== 65532) throw new Error('the image is made for user 65532')
  const volumes: Rendered[] = spec.volumes
  const mounts: Container['mounts'] = {}
  for (const { name, mountPath, readOnly } of container.volumeMounts) {
    const volume = volumes.find((one) => one.name === name)
    if (!volume) throw new Error(`no volume ${name}`)
    const from = folderOf(folder, volume, fsGroup)
    mounts[mountPath] = from === 'tmpfs' ? from : { ...from, readOnly: readOnly === true }
  }
  return runContainer({ words: words ?? container.args, env: envOf(folder, container), mounts })
}
