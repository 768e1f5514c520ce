import { fork } from 'node:child_process'
import { join } from 'node:path'

/** What a load of requests saw. */
export interface Load {
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
  failures: number
  /** All requests that were answered, also while the server warmed up. */
  answered: number
}

interface LoadOptions {
  url: string
  connections: number
  seconds: number
  /** The value of the header `cookie` for each connection; a later connection begins again with the first. */
  cookies?: readonly string[]
  /** What each connection sends, likewise. */
  requests?: readonly { headers: Record<string, string>; body?: string }[]
  /** Default: `GET`. */
  method?: 'POST'
}

/** Sends the load from a separate process, so that it does not block the measuring process. */
export function load(options: LoadOptions): Promise<Load> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'load-process.ts'))
    child.once('message', (result) => resolve(result as Load))
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)))
    child.send(options)
  })
}
