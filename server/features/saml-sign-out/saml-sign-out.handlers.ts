import { samlSignOut } from '#contract/saml-sign-out/saml-sign-out.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { receivePosted, receiveRedirected } from './receive-sign-out.ts'

const samlSignOutHandlers: Handlers<typeof samlSignOut> = { receive: receiveRedirected, receivePosted }

export const createCallGroups: CreateCallGroups = () => [callGroup(samlSignOut, samlSignOutHandlers)]
