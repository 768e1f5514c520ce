import type { Clock } from '#server/platform/clock.ts'

/**
 * Converts between our clock, which tests can move, and the system clock, which the provider uses. Stored times follow our
 * clock. The difference is in whole seconds (0 outside tests), rounded up, because the provider rounds its own time down.
 */
export function providerTime(clock: Clock) {
  const ahead = Math.ceil((clock().getTime() - Date.now()) / 1000)
  return {
    /** Our time as the provider's seconds. */
    seconds: (moment: Date) => Math.floor(moment.getTime() / 1000) - ahead,
    /** The provider's seconds as our time. */
    moment: (seconds: number) => new Date((seconds + ahead) * 1000),
  }
}
