import { host, type Place } from './place.ts'

/** What Patroni says of a server. */
export interface ServerState {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  /** Whether it accepts connections, and has followed the primary to its timeline. */
  works: boolean
}

interface Members {
  members: { name: string; role: ServerState['role']; state: string; timeline?: number }[]
}

/** Asks one Patroni after the other, of which each knows all servers. */
export async function readStates({ portOf }: Place, count: number): Promise<ServerState[]> {
  for (let index = 0; index < count; index++)
    try {
      const signal = AbortSignal.timeout(1000)
      const answer = await fetch(`http://${host}:${portOf('patroni', index)}/cluster`, { signal })
      return read((await answer.json()) as Members)
    } catch {
      // This machine is down: the next one knows as much.
    }
  return []
}

function read({ members }: Members): ServerState[] {
  const leader = members.find(({ role }) => role === 'leader')
  // Newer versions of Patroni call a replica that follows `streaming`.
  return members.map(({ name, role, state, timeline }) => {
    const works = ['running', 'streaming'].includes(state) && timeline !== undefined && timeline === leader?.timeline
    return { name, role, works }
  })
}
