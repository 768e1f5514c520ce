import { readFile } from 'node:fs/promises'
import type { devBankId } from '#contract/dev-bankid.ts'
import type { AnswerOf, InputOf, QueryOf } from '#contract/route.ts'
import { plainPageStyles } from '#server/platform/plain-page.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { requestLanguage } from '#server/platform/request-language.ts'

/** Where the phone app is, on this origin. */
export const phoneAppPath = '/dev/bankid'

/** The simulator's phone app; it draws itself. */
export interface PhoneApp {
  /** Where it is, on its origin. */
  path: string
  /** A page, or where to go instead. */
  show(query: QueryOf<typeof devBankId.page>, language: string): { html: string } | { goTo: string }
  /** @returns where to go */
  act(input: InputOf<typeof devBankId.act>): string
  waiting(): AnswerOf<typeof devBankId.waiting>
  /** Files: what it looks like beyond a plain page, and its script. */
  styles: readonly string[]
  script: string
}

export const devBankIdHandlers = (app: PhoneApp): Handlers<typeof devBankId> => ({
  page: async ({ query, http: { request, reply } }) => {
    const shown = app.show(query, requestLanguage(request))
    if ('html' in shown) return shown.html
    reply.code(303).header('location', shown.goTo)
    return ''
  },
  act: async ({ input }) => app.act(input),
  waiting: async () => app.waiting(),
  style: async ({ http: { reply } }) => {
    reply.type('text/css; charset=utf-8')
    return plainPageStyles(...app.styles)
  },
  script: async ({ http: { reply } }) => {
    reply.type('text/javascript; charset=utf-8')
    return readFile(app.script, 'utf8')
  },
})
