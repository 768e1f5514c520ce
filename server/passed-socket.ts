import { ConfigError, type Environment } from './config.ts'

/** The first descriptor that a service manager passes on: SD_LISTEN_FDS_START of sd_listen_fds(3). */
const firstPassed = 3

/**
 * The listening socket that a service manager holds for this process (socket activation of systemd). It outlives the
 * process: who connects while none runs waits for the next one.
 *
 * @returns its descriptor; undefined if there is none, or if it was meant for another process
 * @throws ConfigError for several sockets, because all but one would never be answered
 */
export function passedSocket(env: Environment, pid: number): number | undefined {
  if (env.LISTEN_PID !== String(pid) || !env.LISTEN_FDS) return undefined
  if (env.LISTEN_FDS !== '1') throw new ConfigError(`LISTEN_FDS is ${env.LISTEN_FDS}: one socket can be served`)
  return firstPassed
}
