import type { samlConfigs } from '#contract/saml-configs.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { listSamlConfigs } from './saml-configs.repository.ts'

export const samlConfigsHandlers: Handlers<typeof samlConfigs> = {
  list: async ({ db }) => listSamlConfigs(db),
}
