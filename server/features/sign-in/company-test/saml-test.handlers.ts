import { samlConfigForm } from '#contract/saml-configs/saml-configs.ts'
import type { samlTests } from '#contract/saml-configs/saml-tests.ts'
import { isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import {
  beginTest,
  checkForm,
  findSamlConfig,
  findTestResult,
  readStates,
  samlFormOf,
} from '../../saml-configs/saml-configs.ts'
import { findCompany } from '../company/company.repository.ts'
import { testedOfSaved } from './tested-values.ts'

/** Test sign-ins by super users. */
export const samlTestHandlers: Handlers<typeof samlTests> = {
  begin: async (context) => {
    const { db, config, input, session } = context
    const { id, ...form } = input
    const company = await findCompany(db, id)
    found(company?.kind === 'saml' ? company : undefined)
    checkForm(config, form)
    return { url: await beginTest(context, { samlConfigId: id, sessionKey: session.key, form }) }
  },
  result: async ({ db, keys, now, params, query, session }) => {
    const samlConfigId = Number(params.id)
    const { ticket } = query
    const result = found(await findTestResult(db, keys, now, { samlConfigId, sessionKey: session.key, ticket }))
    const row = found(await findSamlConfig(db, samlConfigId))
    const { kind, active } = row
    const tested = { ...result.form, active }
    // As a form reads it: what was made by SQL may have blanks around it.
    const saved =
      kind === 'oidc' ? await testedOfSaved(db, keys, samlConfigId) : samlConfigForm.safeParse(samlFormOf(row)).data
    return {
      ...result.found,
      kind,
      active,
      saved: saved !== undefined && isUnchanged<object>({ ...saved, active }, tested),
      organizations: (await readStates(db, now, [row]))(samlConfigId).organizations,
    }
  },
}
