import { samlConfigForm } from '#contract/saml-configs.ts'
import type { samlTests } from '#contract/saml-tests.ts'
import { isUnchanged } from '#server/platform/database/versioned.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { found } from '#server/platform/problem.ts'
import { checkForm, findSamlConfig } from '../../saml-configs/saml-configs.ts'
import { findCompany } from '../saml/company.repository.ts'
import { beginTest } from './begin-test.ts'
import { findResult } from './saml-test.repository.ts'

/** Test sign-ins by super users. */
export const samlTestHandlers: Handlers<typeof samlTests> = {
  begin: async (context) => {
    const { db, config, input, session } = context
    const { id, ...form } = input
    found(await findCompany(db, id))
    checkForm(config, form)
    return { url: await beginTest(context, { samlConfigId: id, sessionKey: session.key, form }) }
  },
  result: async ({ db, keys, now, params, query, session }) => {
    const samlConfigId = Number(params.id)
    const { ticket } = query
    const result = found(await findResult(db, keys, now, { samlConfigId, sessionKey: session.key, ticket }))
    const { id: _, version: __, ...row } = found(await findSamlConfig(db, samlConfigId))
    // As a form reads it: what was made by SQL may have blanks around it.
    const saved = samlConfigForm.safeParse(row).data
    const { active } = row
    return { ...result.found, active, saved: saved !== undefined && isUnchanged(saved, { ...result.form, active }) }
  },
}
