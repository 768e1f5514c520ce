import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Language, languages } from '#contract/roles.ts'
import { screens } from '#contract/screens.ts'
import { detectLanguage } from './request-language.ts'
import { toRoutePattern } from './route-pattern.ts'

interface WebFilesOptions {
  /** The build output: `dist/web`. */
  folder: string
  /** In production the design system kit is not served. */
  production: boolean
  /** The hue of the organisation of somebody who is signed in. Default: none. */
  readHue?: (request: FastifyRequest) => Promise<number | undefined>
}

/** The built web app. */
export interface WebApp {
  /** The app's HTML in the request's language. */
  page(request: FastifyRequest): string
}

/**
 * Serves the built web app: hashed files, cached for a year, and the app's HTML, not cached and in the user's language, on
 * every path of a screen. Any other path is not found.
 *
 * Without a build it logs one line and pages are not found; the API still works.
 */
export async function serveWebFiles(
  app: FastifyInstance,
  { folder, production, readHue = async () => undefined }: WebFilesOptions,
): Promise<WebApp | undefined> {
  app.get('/robots.txt', (_, reply) => reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'))
  const appHtml = join(folder, 'app.html')
  if (!existsSync(appHtml)) {
    app.log.error('The web app is not built: run npm run build:web, or npm start, which builds it.')
    return undefined
  }
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    index: false,
    dotfiles: 'ignore',
  })
  // Only these files of the root folder are served.
  for (const file of readdirSync(folder, { withFileTypes: true })) {
    if (!file.isFile() || /^\.|\.(html|br|gz)$/.test(file.name)) continue
    app.get(`/${file.name}`, (_, reply) => reply.sendFile(file.name, folder, { maxAge: '1h', immutable: false }))
  }
  if (!production && existsSync(join(folder, 'kit.html'))) {
    const kit = readFileSync(join(folder, 'kit.html'))
    app.get('/dev/kit', (_, reply) => reply.type(htmlType).send(kit))
  }
  const pages = inEveryLanguage(readFileSync(appHtml, 'utf8'))
  for (const screen of screens) {
    app.get(toRoutePattern(screen), async (request, reply) =>
      reply
        .header('vary', 'accept-language, cookie')
        .type(htmlType)
        .send(withHue(pages[detectLanguage(request)], await readHue(request))),
    )
  }
  return { page: (request) => pages[detectLanguage(request)] }
}

/** In the first bytes, so that nothing is drawn in another colour before. */
const withHue = (page: string, hue: number | undefined) =>
  hue === undefined ? page : page.replace('<html ', `<html data-hue="${hue}" `)

const htmlType = 'text/html; charset=utf-8'

// The build contains the Swedish page; only `lang` and the preloaded texts differ per language.
function inEveryLanguage(html: string): Record<Language, string> {
  const inLanguage = (language: Language) =>
    html.replace('<html lang="sv"', `<html lang="${language}"`).replaceAll('/locales/sv/', `/locales/${language}/`)
  return Object.fromEntries(languages.map((language) => [language, inLanguage(language)])) as Record<Language, string>
}
