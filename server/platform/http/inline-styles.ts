import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The hashes of the inline styles of the built pages, as sources for the content security policy: `'sha256-…'`
 * (decision 0009).
 *
 * @param folder the build output: `dist/web`; empty without a build
 */
export function readInlineStyleHashes(folder: string): readonly string[] {
  const pages = [folder, join(folder, 'prerendered')].flatMap((place) =>
    existsSync(place)
      ? readdirSync(place)
          .filter((name) => name.endsWith('.html'))
          .map((name) => readFileSync(join(place, name), 'utf8'))
      : [],
  )
  return [...new Set(pages.flatMap(sourcesIn))]
}

const sourcesIn = (page: string): string[] =>
  [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => `'sha256-${hash('sha256', style, 'base64')}'`)
