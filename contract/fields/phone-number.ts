/**
 * A phone number as people write it, in the form that is stored: `+46` and digits. `070-123 45 67`,
 * `+46 (0)70…`, `0046…` and every kind of blank, hyphen and bracket are read. Anything else stays as it is, for the check to refuse.
 */
export function normalizedPhoneNumber(written: string): string {
  const bare = written
    .normalize('NFKC')
    .replace(/^\s*tel:/i, '')
    .replaceAll(/[\p{Z}\p{Pd}\p{C}()./−]/gu, '')
    .replace(/^00/, '+')
    .replace(/^\+460/, '+46')
    .replace(/^0(?=[1-9])/, '+46')
  return /^\+[0-9]+$/.test(bare) ? bare : written
}
