import { randomBytes } from 'node:crypto'
import type { SignedIn } from './service.ts'

const most = 1000

/** The sessions of a service, in memory: a restart signs everyone out there, and the portal signs them in again. */
export interface ServiceSessions {
  /** @returns the value of the cookie */
  begin(person: SignedIn): string
  find(id: string | undefined): SignedIn | undefined
  end(id: string | undefined): void
  /** Ends the sessions that began with this session at the portal; without one, all of the person. */
  endOf(portal: { sid?: string | undefined; sub?: string | undefined }): void
}

export function createServiceSessions(): ServiceSessions {
  const sessions = new Map<string, SignedIn>()
  return {
    begin(person) {
      const id = randomBytes(32).toString('base64url')
      const [oldest] = sessions.keys()
      if (sessions.size >= most && oldest) sessions.delete(oldest)
      sessions.set(id, person)
      return id
    },
    find: (id) => (id ? sessions.get(id) : undefined),
    end: (id) => void (id && sessions.delete(id)),
    endOf({ sid, sub }) {
      for (const [id, person] of sessions) if (sid ? person.sid === sid : person.sub === sub) sessions.delete(id)
    },
  }
}
