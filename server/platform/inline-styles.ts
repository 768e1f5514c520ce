import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The styles that the built pages bring along, as sources of the content security policy: `'sha256-…'` (decision 0009).
 *
 * @param folder what the build made: `dist/web`; without a build there are none
 */
export function inlineStyles(folder: string): readonly string[] {
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
