import type { Clock } from '#server/platform/clock.ts'

/**
 * The provider reads the machine's clock; the house passes its own in. What is stored carries the house's time, what
 * the provider sees is moved by the difference, in whole seconds: none outside tests. Rounded up, because the provider
 * rounds its own time down, and the house's moment is read first.
 */
export function providerTime(clock: Clock) {
  const ahead = Math.ceil((clock().getTime() - Date.now()) / 1000)
  return {
    /** The house's moment as the provider's seconds. */
    seconds: (moment: Date) => Math.floor(moment.getTime() / 1000) - ahead,
    /** The provider's seconds as the house's moment. */
    moment: (seconds: number) => new Date((seconds + ahead) * 1000),
  }
}
