import { join } from 'node:path'
import * as z from 'zod/mini'
import { type devOutbox, outboxMessages } from '#contract/dev-outbox.ts'
import type { FolderOutbox } from '#server/platform/folder-outbox.ts'
import { plainPageStyles } from '#server/platform/plain-page.ts'
import { found } from '#server/platform/problem.ts'
import type { Handlers } from '#server/platform/request-context.ts'
import { requestLanguage } from '#server/platform/request-language.ts'
import { showAsMail } from '#server/platform/security-headers.ts'
import { devOutboxPage } from './dev-outbox-page.ts'

/** @param outbox where messages land that no mail server or gateway takes */
export const devOutboxHandlers = (outbox: Pick<FolderOutbox, 'list'>): Handlers<typeof devOutbox> => ({
  list: async ({ http: { request, reply } }) => {
    const messages = z.parse(outboxMessages, await outbox.list())
    reply.header('cache-control', 'no-store').header('vary', 'accept')
    if (!wantsJson(request.headers.accept)) return devOutboxPage(messages, requestLanguage(request))
    reply.type('application/json; charset=utf-8')
    return JSON.stringify(messages)
  },
  message: async ({ params, http: { reply } }) => {
    const message = found((await outbox.list()).find(({ id }) => id === params.id))
    reply.header('cache-control', 'no-store')
    showAsMail(reply)
    return found(message.html)
  },
  style: async ({ http: { reply } }) => {
    reply.type('text/css; charset=utf-8')
    return plainPageStyles(join(import.meta.dirname, 'dev-outbox.css'))
  },
})

// A browser asks for text/html before anything else; a script that asks for JSON does not name pages.
const wantsJson = (accept = '') => accept.includes('application/json') && !accept.includes('text/html')
