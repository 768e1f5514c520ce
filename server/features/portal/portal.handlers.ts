import type { portal } from '#contract/portal.ts'
import { languages } from '#contract/roles.ts'
import type { Handlers } from '#server/platform/request-context.ts'

export const portalHandlers: Handlers<typeof portal> = {
  info: async ({ config }) => ({
    companyName: config.companyName,
    supportEmail: config.supportEmail,
    supportPhone: config.supportPhone ?? '',
    languages: [...languages],
  }),
}
