import type { Server } from 'node:http'

/** Listens on the preferred port; if it is in use, on any free one. */
export async function listenOnFreePort(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  await listen(server, host, port).catch(() => listen(server, host, 0))
}

const listen = (server: Server, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
