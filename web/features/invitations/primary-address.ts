import { bareAddress } from '#contract/fields/as-written.ts'

/**
 * The address that a cell means. Directories put all of a person's into one, the primary one with `SMTP:` in capitals:
 * `SMTP:a@x.se+smtp:b@x.se`. Several without such a mark stay as they are, and are refused.
 */
export function primaryAddress(cell: string): { email: string; unused: readonly string[] } {
  if (!/^\W*smtp:/i.test(cell)) return { email: bareAddress(cell), unused: [] }
  const all = cell.split(/[;,|\s]+|\+(?=\w+:)/).filter((one) => /^smtp:/i.test(one))
  const primary = all.find((one) => one.startsWith('SMTP:')) ?? all[0] ?? ''
  return {
    email: bareAddress(primary.slice(5)),
    unused: all.filter((one) => one !== primary).map((one) => one.slice(5)),
  }
}
