import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type Figure, median } from './measure.ts'
import { startPortal } from './portal.ts'

const rounds = 100
const password = 'Demo-password-1'
const withoutLimits = Object.fromEntries(
  ['CODE_SEND', 'CODE_SEND_HOURLY', 'RESET_REQUEST', 'RESET_REQUEST_ACCOUNT'].map((name) => [
    `LIMIT_${name}`,
    '999999/60',
  ]),
)
const calls = {
  'start-2fa-login': { email: 'user@solberga.example', password, codeDeliveryType: 'email' },
  'initiate-password-reset': { email: 'user@nordvik.example' },
} as const
type Call = keyof typeof calls

/**
 * How long the calls take that send a mail, while the mail server takes none and says nothing: beside the same call to a
 * portal whose mail leaves. In turns, so that a machine that gets slower meanwhile slows both.
 */
export async function measurePostCalls(): Promise<Figure[]> {
  const taking = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, callback) {
      stream.resume()
      stream.on('end', callback)
    },
  })
  const silent = createServer()
  const settings = async (server: SMTPServer | ReturnType<typeof createServer>) => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = ('server' in server ? server.server : server).address() as AddressInfo
    return { ...withoutLimits, SMTP_URL: `smtp://127.0.0.1:${port}` }
  }
  const portals = [await startPortal(await settings(taking)), await startPortal(await settings(silent))] as const
  try {
    const figures: Figure[] = []
    for (const call of Object.keys(calls) as Call[]) {
      const [reached, unreached] = [[] as number[], [] as number[]]
      for (let round = -5; round < rounds; round++) {
        // Each goes first as often as the other.
        const turns = [() => timeOf(portals[0].url, call, reached), () => timeOf(portals[1].url, call, unreached)]
        for (const turn of round % 2 ? turns : turns.reverse()) await turn()
        if (round < 0) reached.length = unreached.length = 0
      }
      figures.push({
        name: `${call}, mail server silent`,
        value: median(unreached),
        unit: 'ms',
        limit: { what: 'mail server takes mail', value: median(reached) },
        target: { atMost: 1.2 },
      })
    }
    return figures
  } finally {
    for (const portal of portals) await portal.stop()
    taking.close()
    silent.close()
  }
}

async function timeOf(url: string, call: Call, times: number[]): Promise<void> {
  const since = performance.now()
  const answer = await fetch(`${url}/api/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(calls[call]),
  })
  if (answer.status !== 204) throw new Error(`${call} answered ${answer.status}`)
  times.push(performance.now() - since)
}
