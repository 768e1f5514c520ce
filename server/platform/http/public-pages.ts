import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import type { KeptName } from '#contract/kept.ts'
import type { MessageKey } from '#contract/message-key.ts'
import { type Language, languages } from '#contract/roles.ts'
import {
  fillPage,
  type PublicError,
  type PublicPage,
  publicPages,
  toPublicError,
} from '#contract/sign-in/sign-in-page.ts'
import { html } from '../html.ts'
import { translate } from '../messages/texts.ts'
import type { System } from '../system.ts'
import { detectLanguage } from './request-language.ts'

/** The values of a public page, besides the operator's contact details. */
export interface PublicPageContent extends Partial<Record<KeptName, string>> {
  uid?: string
  email?: string
  /** `ui_locales` of the service's request; by default the query's. */
  uiLocales?: string | undefined
  /** The service that the sign-in leads to; the portal by default. */
  signInTo?: string
  /** See `PageValues`. */
  hue?: string
  logo?: string
  darkLogo?: string
  brandName?: string
  /** Not empty where a code was sent to this browser's user. */
  codeSent?: string
  /** See `PageValues`. */
  passkeyChallenge?: string
  passkeyRpId?: string
  /** Not empty where the user has to confirm before anything happens. */
  ask?: string
  /** Message key of the error; a key that is not public becomes the general message. */
  error?: string | undefined
  /** Names a failure to support. */
  reference?: string
  /** The cause in the words of the protocol, for the developer of a service. */
  details?: string
  /** See `PageValues`. */
  kept?: string
  /** A message to an identity provider: see `PageValues`. */
  postTo?: string
  samlRequest?: string
  samlResponse?: string
  relayState?: string
  /** Path for a retry. */
  again?: string | undefined
}

/** The pages that need no session: sign-in, sign-out and errors. */
export interface PublicPages {
  /** Renders a page in the request's language, as HTML. */
  render(request: FastifyRequest, page: PublicPage, content?: PublicPageContent): string
  /** Renders the page of a failed navigation: 404, any other 4xx, 5xx. */
  renderProblem(request: FastifyRequest, status: number, key: MessageKey, again?: string): string
}

/**
 * Loads the prerendered pages. Without a build every page is a minimal one with the error text, so that the API and its
 * tests still work.
 *
 * @param folder the build output: `dist/web`
 */
export function loadPublicPages(
  folder: string,
  { config, quarantine }: Pick<System, 'config' | 'quarantine'>,
): PublicPages {
  // As bytes: a text with one sign outside Latin-1 takes twice as many.
  const files = new Map<string, Buffer>()
  for (const page of publicPages)
    for (const language of languages) {
      const file = join(folder, 'prerendered', `${page}.${language}.html`)
      if (existsSync(file)) files.set(`${page}.${language}`, readFileSync(file))
    }
  const contact = {
    companyName: config.companyName,
    supportEmail: config.supportEmail,
    supportPhone: config.supportPhone ?? '',
    privacyUrl: config.privacyUrl ?? '/privacy',
    accessibilityUrl: config.accessibilityUrl ?? '/accessibility',
  }
  const render: PublicPages['render'] = (request, page, { error: key, again, uiLocales, ...content } = {}) => {
    const language = detectLanguage(request, uiLocales)
    const error: PublicError | undefined = key ? toPublicError(key) : undefined
    const errorText = error ? translate(language, error) : ''
    const file = files.get(`${page}.${language}`)
    if (!file)
      return renderMinimalPage(
        language,
        [errorText || config.companyName, content.details].filter(Boolean).join(' '),
        content,
      )
    const errorValues = { ...(error ? { error, errorText } : {}), ...(again ? { again } : {}) }
    return fillPage(file.toString(), {
      ...content,
      ...contact,
      ...errorValues,
      requestId: request.id,
      quarantine: quarantine.isActive() ? 'yes' : '',
    })
  }
  return {
    render,
    renderProblem: (request, status, error, again) =>
      render(request, status === 404 ? 'not-found' : status < 500 ? 'refused' : 'server-error', { error, again }),
  }
}

const renderMinimalPage = (language: Language, text: string, { postTo, ...content }: PublicPageContent) => {
  const fields = {
    SAMLRequest: content.samlRequest,
    SAMLResponse: content.samlResponse,
    RelayState: content.relayState,
  }
  const inputs = Object.entries(fields).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const form = postTo !== undefined && html`<form method="post" action="${postTo}">${inputs}<button>→</button></form>`
  return `<!doctype html>${html`<html lang="${language}"><head><meta charset="utf-8"><title>${text}</title></head><body><p>${text}</p>${form}</body></html>`.html}`
}
