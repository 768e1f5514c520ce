import { hash } from 'node:crypto'
import type { Provider } from 'oidc-provider'
import { html } from '#server/platform/html.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { translate } from '#server/platform/messages/texts.ts'
import { findRequest } from '../requests/request-record.ts'

const script = 'document.forms[0].submit()'
const style = `
  :root { color-scheme: light dark; }
  body { display: grid; min-block-size: 100vh; margin: 0; place-content: center; justify-items: center; gap: 1.5rem;
    background: light-dark(#f8fafc, #0b1016); color: light-dark(#17202b, #e7edf4); font: 1rem/1.5 system-ui, sans-serif; }
  h1 { margin: 0; font-size: 1.5rem; }
  button { padding: 0.625rem 1.5rem; border: 0; border-radius: 8px; background: light-dark(#1f55b5, #6d9bf5);
    color: light-dark(#fff, #0b1016); font: inherit; font-weight: 600; cursor: pointer; }`
const source = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

/**
 * `response_mode=form_post`: the page that posts the answer to the service, in our look and language. The library's own page
 * is taken apart, because it lets no one replace the response mode.
 */
export function showFormPostPage(provider: Provider, { companyName }: { companyName: string }): void {
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.type !== 'text/html' || typeof ctx.body !== 'string') return
    if (!ctx.oidc?.params || ctx.oidc.responseMode !== 'form_post') return
    const [, action] = /<form method="post" action="([^"]*)">/.exec(ctx.body) ?? []
    // Already escaped.
    const fields = [...ctx.body.matchAll(/<input type="hidden" [^<>]*\/>/g)].map(([field]) => ({ html: field }))
    const request = findRequest(ctx.req)
    if (action === undefined || !request) return
    const { ui_locales: uiLocales } = ctx.oidc.params ?? {}
    const language = detectLanguage(request, typeof uiLocales === 'string' ? uiLocales : undefined)
    ctx.body = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${translate(language, 'signingYouIn')} – ${companyName}</title><style>${{ html: style }}</style></head>
<body><h1>${translate(language, 'signingYouIn')}</h1>
<form method="post" action="${{ html: action }}">${fields}<button>${translate(language, 'continue')}</button></form>
<script>${{ html: script }}</script></body></html>`.html
    const policy = ctx.response.get('content-security-policy')
    ctx.set(
      'content-security-policy',
      policy
        .replace(/script-src [^;]*/, `script-src 'self' ${source(script)}`)
        .replace(/style-src [^;]*/, `$& ${source(style)}`),
    )
  })
}
