import type { FastifyRequest } from 'fastify'
import { fallbackLanguage, type Language, languages } from '#contract/roles.ts'

/** Of a tag such as `en-GB`, or `en_GB` as some programs write it, only the primary subtag counts. */
const supported = (tag: string | undefined): Language | undefined =>
  languages.find((language) => language === tag?.toLowerCase().split(/[-_]/, 1)[0])

/**
 * The language of a request: the user's choice (cookie `language`), else what the service asked for, else the browser's
 * preference, else Swedish.
 *
 * @param uiLocales `ui_locales` of a service's request (OIDC Core 3.1.2.1), the preferred one first; by default the query's
 */
export function detectLanguage(
  { cookies, headers, query }: Pick<FastifyRequest, 'cookies' | 'headers'> & { query?: unknown },
  uiLocales: unknown = (query as { ui_locales?: unknown } | undefined)?.ui_locales,
): Language {
  const asked = typeof uiLocales === 'string' ? uiLocales.slice(0, 200).split(' ').map(supported) : []
  return (
    supported(cookies?.language) ?? asked.find(Boolean) ?? preferred(headers['accept-language']) ?? fallbackLanguage
  )
}

// Accept-Language (RFC 9110, 12.5.4): `sv-SE,sv;q=0.9,en;q=0.8`.
function preferred(header: string | undefined): Language | undefined {
  if (!header) return undefined
  const wanted = header
    .slice(0, 500)
    .split(',')
    .map((entry, index) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
      return { language: supported(tag), weight: Number.isNaN(weight) ? 0 : weight, index }
    })
  return wanted
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .sort((a, b) => b.weight - a.weight || a.index - b.index)[0]?.language
}
