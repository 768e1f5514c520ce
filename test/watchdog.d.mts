/** What a test run started, and must clean up. */
interface Started {
  /** A process that shuts down cleanly on SIGTERM. */
  pid?: number | undefined
  /** The data folder of a PostgreSQL that may run. */
  cluster?: string
  /** Folders to remove afterwards, including the targets of links. */
  folders?: string[]
}

/** Cleans up when this process ends for any reason. @returns a function to call after an orderly clean-up */
export function cleanUpOnExit(started: Started): () => void
