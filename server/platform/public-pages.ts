import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { MessageKey } from '#contract/message-key.ts'
import { type Language, languages } from '#contract/roles.ts'
import { asPublicError, fillPage, type PublicError, type PublicPage, publicPages } from '#contract/sign-in-page.ts'
import type { Config } from '#server/config.ts'
import { html } from './html.ts'
import { requestLanguage } from './request-language.ts'
import { translate } from './texts.ts'

/** What a page of the light entry shows, besides the operator's contact. */
export interface PublicPageContent {
  uid?: string
  email?: string
  /** Not empty where this browser waits for a code. */
  codeSent?: string
  /** Key of what went wrong; one that no public page may say becomes the general message. */
  error?: string | undefined
  /** Path where to try once more. */
  again?: string | undefined
}

/** The pages that need no session: sign-in, sign-out, and what went wrong. */
export interface PublicPages {
  /** A page in the request's language, as HTML. */
  render(request: FastifyRequest, page: PublicPage, content?: PublicPageContent): string
  /** The page for a failed navigation: 404, any other 4xx, 5xx. */
  renderProblem(request: FastifyRequest, status: number, key: MessageKey, again?: string): string
}

/**
 * Reads the pages that the build rendered beforehand. Without a build every page is a bare one that says what went
 * wrong: the API and its tests work all the same.
 *
 * @param folder what the build made: `dist/web`
 */
export function openPublicPages(folder: string, config: Config): PublicPages {
  const files = new Map<string, string>()
  for (const page of publicPages)
    for (const language of languages) {
      const file = join(folder, 'prerendered', `${page}.${language}.html`)
      if (existsSync(file)) files.set(`${page}.${language}`, readFileSync(file, 'utf8'))
    }
  const contact = {
    companyName: config.companyName,
    supportEmail: config.supportEmail,
    supportPhone: config.supportPhone ?? '',
  }
  const render: PublicPages['render'] = (request, page, { error: key, again, ...content } = {}) => {
    const language = requestLanguage(request)
    const error: PublicError | undefined = key ? asPublicError(key) : undefined
    const errorText = error ? translate(language, error) : ''
    const file = files.get(`${page}.${language}`)
    if (!file) return bare(language, errorText || config.companyName)
    const wrong = { ...(error ? { error, errorText } : {}), ...(again ? { again } : {}) }
    return fillPage(file, { ...content, ...contact, ...wrong, requestId: request.id })
  }
  return {
    render,
    renderProblem: (request, status, error, again) =>
      render(request, status === 404 ? 'not-found' : status < 500 ? 'refused' : 'server-error', { error, again }),
  }
}

const bare = (language: Language, text: string) =>
  `<!doctype html>${html`<html lang="${language}"><head><meta charset="utf-8"><title>${text}</title></head><body><p>${text}</p></body></html>`.html}`
