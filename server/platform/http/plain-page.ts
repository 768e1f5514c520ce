import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

// The web app's design tokens, read from source: outside production the sources are available without a build.
const common = [join(import.meta.dirname, '../../../web/ui/tokens.css'), join(import.meta.dirname, 'plain-page.css')]

/**
 * The style sheet of a developer page, which works without a build of the web app.
 *
 * @param own paths of additional style sheets
 */
export const readPlainPageStyles = async (...own: string[]): Promise<string> =>
  (await Promise.all([...common, ...own].map((file) => readFile(file, 'utf8')))).join('\n')
