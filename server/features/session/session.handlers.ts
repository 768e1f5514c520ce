import { session } from '#contract/session/session.ts'
import { signOut } from '#contract/sign-in/sign-in.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { readCurrentUser } from './session.ts'
import { signOutHandlers } from './sign-out.handlers.ts'

export const sessionHandlers: Handlers<typeof session> = {
  me: ({ session, keys }) => readCurrentUser(keys, session),
  expire: async ({ session, now }) => ({
    secondsToLive: session ? Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000)) : 0,
  }),
}

export const createCallGroups: CreateCallGroups = ({ pages }) => [
  callGroup(session, sessionHandlers),
  callGroup(signOut, signOutHandlers(pages)),
]
