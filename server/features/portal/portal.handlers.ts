import { portal } from '#contract/portal.ts'
import { languages } from '#contract/roles.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'

export const portalHandlers: Handlers<typeof portal> = {
  info: async ({ config, quarantine }) => ({
    companyName: config.companyName,
    supportEmail: config.supportEmail,
    supportPhone: config.supportPhone ?? '',
    languages: [...languages],
    quarantine: quarantine.isActive(),
  }),
}

export const createCallGroups: CreateCallGroups = () => [callGroup(portal, portalHandlers)]
