import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import type { MailServer } from './mailer.ts'
import type { Sms } from './sms.ts'

/** A message as `/dev/outbox` shows it. */
export interface SentMessage {
  id: string
  kind: 'mail' | 'sms'
  to: string
  subject: string | null
  text: string
  html: string | null
  /** ISO 8601 in UTC. */
  at: string
}

/** Replaces the mail server and the SMS gateway in development: one JSON file per message. */
export interface FolderOutbox {
  mailer: MailServer
  sms: Sms
  /** The newest messages, newest first. */
  list(limit?: number): Promise<SentMessage[]>
}

/** Writes messages to a folder instead of sending them, for development and trials. */
export function createFolderOutbox(folder: string, clock: Clock): FolderOutbox {
  const store = async (message: SentMessage) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Named by id, so that a second delivery of the same mail replaces the first.
    await writeFile(join(folder, `${message.id}.json`), `${JSON.stringify(message, null, 2)}\n`, { mode: 0o600 })
  }
  const at = () => clock().toISOString()
  return {
    mailer: {
      send: ({ id, to, subject, text, html }) => store({ id, kind: 'mail', to, subject, text, html, at: at() }),
      answers: async () => true,
      close: async () => {},
    },
    sms: {
      send: ({ to, text }) => store({ id: newId(), kind: 'sms', to, subject: null, text, html: null, at: at() }),
    },
    async list(limit = 200) {
      const files = await readdir(folder).catch(() => [])
      // Ids are UUIDv7, so file names sort by time.
      const newest = files
        .filter((file) => file.endsWith('.json'))
        .sort()
        .slice(-limit)
      const messages = await Promise.all(newest.map((file) => read(join(folder, file))))
      return messages
        .filter((message) => message !== undefined)
        .sort((a, b) => b.at.localeCompare(a.at) || b.id.localeCompare(a.id))
    },
  }
}

/** Skips a file that is still being written. */
async function read(path: string): Promise<SentMessage | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as SentMessage
  } catch {
    return undefined
  }
}
