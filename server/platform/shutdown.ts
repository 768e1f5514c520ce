interface Options {
  /** Ends everything in order; called once. */
  close: () => Promise<void>
  /** Milliseconds after which the process ends without it. */
  patience: number
  exit: (code: number) => void
  say: (line: string) => void
  now?: () => number
}

/** One signal reaches us twice: the terminal tells the whole group, and `npm` passes it on. */
const sameSignalMs = 1000

/**
 * What to do at SIGINT and SIGTERM: the first closes in order, another one later ends the process at once.
 *
 * @returns the listener
 */
export function shutdownOnSignal({ close, patience, exit, say, now = Date.now }: Options): (signal: string) => void {
  let firstAt: number | undefined
  return (signal) => {
    if (firstAt !== undefined) {
      if (now() - firstAt < sameSignalMs) return
      say('Stopping at once.')
      exit(1)
      return
    }
    firstAt = now()
    say(`${signal}: finishing what is under way ...`)
    const timer = setTimeout(() => {
      say('Not everything finished in time.')
      exit(1)
    }, patience)
    close().then(
      () => {
        clearTimeout(timer)
        exit(0)
      },
      (error: Error) => {
        clearTimeout(timer)
        say(`Stopping failed: ${error.message}`)
        exit(1)
      },
    )
  }
}
