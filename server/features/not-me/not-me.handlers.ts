import { notMe } from '#contract/not-me/not-me.ts'
import type { PublicPages } from '#server/platform/http/public-pages.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { lockSignIn } from './lock-sign-in.ts'

const notMeHandlers = (pages: PublicPages): Handlers<typeof notMe> => ({
  page: async ({ http }) => pages.render(http.request, 'not-me'),
  lock: lockSignIn,
  done: async ({ http }) => pages.render(http.request, 'not-me-done'),
})

export const createCallGroups: CreateCallGroups = ({ pages }) => [callGroup(notMe, notMeHandlers(pages))]
