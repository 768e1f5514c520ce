import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The URL path that the build gave to an entry, such as `/assets/style-Dx4kXJAl.css`; undefined without a build.
 *
 * @param folder the build output: `dist/web`
 * @param source the entry, relative to `web`
 */
export function findBuiltFile(folder: string, source: string): string | undefined {
  const manifest = join(folder, '.vite', 'manifest.json')
  if (!existsSync(manifest)) return undefined
  const entries: Partial<Record<string, { file: string }>> = JSON.parse(readFileSync(manifest, 'utf8'))
  const file = entries[source]?.file
  return file === undefined ? undefined : `/${file}`
}
