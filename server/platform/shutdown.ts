interface Options {
  /** Closes everything in order; called once, with the name of the signal. */
  close: (signal: string) => Promise<void>
  /** Milliseconds after which the process exits even if `close` has not finished. */
  timeoutMs: number
  exit: (code: number) => void
  say: (line: string) => void
  now?: () => number
}

/** A signal can arrive twice: the terminal sends it to the whole process group, and `npm` forwards it. */
const sameSignalMs = 1000

/**
 * Handles SIGINT and SIGTERM: the first signal closes in order, a later one exits at once.
 *
 * @returns the listener
 */
export function shutdownOnSignal({ close, timeoutMs, exit, say, now = Date.now }: Options): (signal: string) => void {
  let firstAt: number | undefined
  return (signal) => {
    if (firstAt !== undefined) {
      if (now() - firstAt < sameSignalMs) return
      say('Warning: stopping at once.')
      exit(1)
      return
    }
    firstAt = now()
    say(`${signal}: finishing open requests and jobs ...`)
    const timer = setTimeout(() => {
      say('Warning: not everything finished in time.')
      exit(1)
    }, timeoutMs)
    close(signal).then(
      () => {
        clearTimeout(timer)
        exit(0)
      },
      (error: Error) => {
        clearTimeout(timer)
        say(`Warning: stopping failed: ${error.message}`)
        exit(1)
      },
    )
  }
}
