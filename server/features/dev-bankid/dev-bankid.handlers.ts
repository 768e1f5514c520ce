import { readFile } from 'node:fs/promises'
import { devBankId } from '#contract/dev-bankid/dev-bankid.ts'
import type { PhoneApp } from '#server/bankid/phone-app.ts'
import { readPlainPageStyles } from '#server/platform/http/plain-page.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'

/** The path of the simulated phone app on this origin. */
export const phoneAppPath = '/dev/bankid'

export const devBankIdHandlers = (app: PhoneApp): Handlers<typeof devBankId> => ({
  page: async ({ query, http: { request, reply } }) => {
    const shown = app.show(query, detectLanguage(request))
    if ('html' in shown) return shown.html
    reply.code(303).header('location', shown.goTo)
    return ''
  },
  act: async ({ input }) => app.act(input),
  waiting: async () => app.waiting(),
  style: async ({ http: { reply } }) => {
    reply.type('text/css; charset=utf-8')
    return readPlainPageStyles(...app.styles)
  },
  script: async ({ http: { reply } }) => {
    reply.type('text/javascript; charset=utf-8')
    return readFile(app.script, 'utf8')
  },
})

export const createCallGroups: CreateCallGroups = ({ phoneApp }) =>
  phoneApp ? [callGroup(devBankId, devBankIdHandlers(phoneApp))] : []
