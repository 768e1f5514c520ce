import type { openSetupTests } from '#contract/saml-setups/open-setups.ts'
import type { Providers } from '#server/company-oidc/known-providers.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { beginTest } from '../../saml-configs/saml-configs.ts'
import {
  configOf,
  eventOfUse,
  findByToken,
  givenDraft,
  oidcConfigOf,
  refuseDecided,
  unsealSetupSecret,
} from '../../saml-setups/saml-setups.ts'
import { beginOidcTest } from './oidc-test.handlers.ts'

/** Test sign-ins by the IT of an organisation, with the draft of their link. The mail domain is not named yet. */
export const setupTestHandlers = (providers: Providers): Handlers<typeof openSetupTests> => ({
  begin: async (context) => {
    const { input, keys, ip, transact } = context
    const setup = await findByToken(context, input.token)
    const samlConfigId = refuseDecided(setup)
    const draft = givenDraft(setup)
    const { setupId } = setup
    const decided = { name: setup.organizationName, domain: '', active: false }
    const of = { samlConfigId, sessionKey: setupId, setup: { id: setupId, draft } }
    if (draft.kind === 'oidc') {
      const clientSecret = await unsealSetupSecret(keys, setup)
      await transact(async (_, audit) => audit(eventOfUse(setup, 'test', ip)))
      const { active: _, ...form } = oidcConfigOf(draft, decided)
      return { url: await beginOidcTest(context, providers, { ...of, form: { ...form, clientSecret } }) }
    }
    return transact(async (db, audit) => {
      audit(eventOfUse(setup, 'test', ip))
      return { url: await beginTest({ ...context, db }, { ...of, form: configOf(draft, decided) }) }
    })
  },
})
