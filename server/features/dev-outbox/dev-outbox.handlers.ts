import { join } from 'node:path'
import * as z from 'zod/mini'
import { devOutbox, outboxMessages } from '#contract/dev-outbox/dev-outbox.ts'
import { readPlainPageStyles } from '#server/platform/http/plain-page.ts'
import type { Handlers } from '#server/platform/http/request-context.ts'
import { detectLanguage } from '#server/platform/http/request-language.ts'
import { allowMailPreview } from '#server/platform/http/security-headers.ts'
import { createFolderOutbox, type FolderOutbox } from '#server/platform/messages/folder-outbox.ts'
import { found } from '#server/platform/problem.ts'
import { type CreateCallGroups, callGroup } from '#server/room.ts'
import { devOutboxPage } from './dev-outbox-page.ts'

/** @param outbox receives the messages when no mail server or SMS gateway is configured */
export const devOutboxHandlers = (outbox: Pick<FolderOutbox, 'list'>): Handlers<typeof devOutbox> => ({
  list: async ({ http: { request, reply } }) => {
    const messages = z.parse(outboxMessages, await outbox.list())
    reply.header('cache-control', 'no-store').header('vary', 'accept')
    if (!wantsJson(request.headers.accept)) return devOutboxPage(messages, detectLanguage(request))
    reply.type('application/json; charset=utf-8')
    return JSON.stringify(messages)
  },
  message: async ({ params, http: { reply } }) => {
    const message = found((await outbox.list()).find(({ id }) => id === params.id))
    reply.header('cache-control', 'no-store')
    allowMailPreview(reply)
    return found(message.html)
  },
  style: async ({ http: { reply } }) => {
    reply.type('text/css; charset=utf-8')
    return readPlainPageStyles(join(import.meta.dirname, 'dev-outbox.css'))
  },
})

// A browser always accepts text/html; a script that wants JSON does not list it.
const wantsJson = (accept = '') => accept.includes('application/json') && !accept.includes('text/html')

export const createCallGroups: CreateCallGroups = ({ system: { config, clock } }) =>
  config.production
    ? []
    : [callGroup(devOutbox, devOutboxHandlers(createFolderOutbox(join(config.dataDir, 'outbox'), clock)))]
