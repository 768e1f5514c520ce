import { type KeptName, kept, keptTime } from '#contract/kept.ts'
import { portal } from '#contract/portal/portal.ts'
import { languages } from '#contract/roles.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers, RequestContext } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'

const portalHandlers = (pages: PublicPages): Handlers<typeof portal> => ({
  info: async ({ config, quarantine }) => ({
    companyName: config.companyName,
    supportEmail: config.supportEmail,
    supportPhone: config.supportPhone ?? '',
    languages: [...languages],
    privacyUrl: config.privacyUrl ?? '/privacy',
    accessibilityUrl: config.accessibilityUrl ?? '/accessibility',
    quarantine: quarantine.isActive(),
  }),
  privacyPage: async ({ http, config }) => ownPage(http, config.privacyUrl) ?? pages.render(http.request, 'privacy'),
  keptPage: async ({ http, config }) => {
    const language = detectLanguage(http.request)
    const names = Object.keys(kept) as KeptName[]
    return pages.render(http.request, 'kept', {
      kept: names.map((name) => config[name]).join(' '),
      ...Object.fromEntries(names.map((name) => [name, keptTime(language, name, config[name])])),
    })
  },
  accessibilityPage: async ({ http, config }) =>
    ownPage(http, config.accessibilityUrl) ?? pages.render(http.request, 'accessibility'),
})

/** Leads to the operator's own page. */
function ownPage({ reply }: RequestContext['http'], url: string | undefined): string | undefined {
  if (!url) return undefined
  reply.redirect(url, 302)
  return ''
}

export const createCallGroups: CreateCallGroups = ({ pages }) => [callGroup(portal, portalHandlers(pages))]
