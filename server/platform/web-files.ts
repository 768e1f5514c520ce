import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { type Language, languages } from '#contract/roles.ts'
import { screens } from '#contract/screens.ts'
import { requestLanguage } from './request-language.ts'
import { routePattern } from './route-pattern.ts'

interface WebFilesOptions {
  /** What the build made: `dist/web`. */
  folder: string
  /** The kit of the design system is for those who build, not for those who sign in. */
  production: boolean
}

/**
 * Serves the built web app: hashed files for ever, and the app's HTML, never kept and in the person's language from its
 * first byte, for every screen of the app. Any other address is left to the not-found page.
 *
 * Without a build this says so in one line, and pages are answered as unknown; the API works all the same.
 */
export async function serveWebFiles(app: FastifyInstance, { folder, production }: WebFilesOptions): Promise<void> {
  app.get('/robots.txt', (_, reply) => reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'))
  const appHtml = join(folder, 'app.html')
  if (!existsSync(appHtml)) {
    app.log.error('The web app is not built: run npm run build:web, or npm start, which does it by itself.')
    return
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
  // Files of the root are named one by one: nothing else of the folder can be asked for.
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
    app.get(routePattern(screen), (request, reply) =>
      reply.header('vary', 'accept-language, cookie').type(htmlType).send(pages[requestLanguage(request)]),
    )
  }
}

const htmlType = 'text/html; charset=utf-8'

// The build writes the page in Swedish; its language and the texts that it loads first are all that differs.
function inEveryLanguage(html: string): Record<Language, string> {
  const inLanguage = (language: Language) =>
    html.replace('<html lang="sv"', `<html lang="${language}"`).replaceAll('/locales/sv/', `/locales/${language}/`)
  return Object.fromEntries(languages.map((language) => [language, inLanguage(language)])) as Record<Language, string>
}
