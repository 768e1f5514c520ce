import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from './clock.ts'
import { newId } from './ids.ts'
import type { Mailer } from './mailer.ts'
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

/** Where messages go without a mail server or an SMS gateway: one JSON file each. */
export interface FolderOutbox {
  mailer: Mailer
  sms: Sms
  /** The newest messages, newest first. */
  list(limit?: number): Promise<SentMessage[]>
}

/** Keeps what would be sent in a folder, for whoever develops or tries the portal out. */
export function createFolderOutbox(folder: string, clock: Clock): FolderOutbox {
  const keep = async (message: SentMessage) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // Named by id, so that a second delivery of the same mail replaces the first.
    await writeFile(join(folder, `${message.id}.json`), `${JSON.stringify(message, null, 2)}\n`, { mode: 0o600 })
  }
  const at = () => clock().toISOString()
  return {
    mailer: {
      send: ({ id, to, subject, text, html }) => keep({ id, kind: 'mail', to, subject, text, html, at: at() }),
      close: async () => {},
    },
    sms: {
      send: ({ to, text }) => keep({ id: newId(), kind: 'sms', to, subject: null, text, html: null, at: at() }),
    },
    async list(limit = 200) {
      const files = await readdir(folder).catch(() => [])
      // Ids are UUIDv7: by name is by time.
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

/** A file that is being written this moment is shown the next time. */
async function read(path: string): Promise<SentMessage | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as SentMessage
  } catch {
    return undefined
  }
}
