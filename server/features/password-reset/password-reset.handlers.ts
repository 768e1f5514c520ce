import { passwordResetPages, passwordResets } from '#contract/password-reset/password-reset.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { requestReset } from './request-reset.ts'
import { findByToken, invalidLink, resetPassword } from './reset-password.ts'

export const passwordResetHandlers: Handlers<typeof passwordResets> = {
  request: requestReset,
  find: async ({ db, params, now }) => {
    const person = await findByToken(db, params.token, now)
    if (!person) throw invalidLink()
    return { email: person.email }
  },
  reset: (context) => resetPassword(context),
}

export const passwordResetPagesHandlers = (pages: PublicPages): Handlers<typeof passwordResetPages> => ({
  request: async ({ http, query }) => pages.render(http.request, 'reset-password', { email: query.email ?? '' }),
  reset: async ({ http }) => pages.render(http.request, 'new-password'),
})

export const createCallGroups: CreateCallGroups = ({ pages }) => [
  callGroup(passwordResets, passwordResetHandlers),
  callGroup(passwordResetPages, passwordResetPagesHandlers(pages)),
]
