import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

// The web app's own tokens as they are written: outside production the sources are there, built or not.
const common = [join(import.meta.dirname, '../../web/ui/tokens.css'), join(import.meta.dirname, 'plain-page.css')]

/**
 * The style sheet of a page for developers that works before the web app is built.
 *
 * @param own what the page adds: paths of files
 */
export const plainPageStyles = async (...own: string[]): Promise<string> =>
  (await Promise.all([...common, ...own].map((file) => readFile(file, 'utf8')))).join('\n')
