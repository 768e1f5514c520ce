import type { TFunction } from 'i18next'
import type { Service } from '#contract/services.ts'

/** A file to fill in, as an address: the columns in the reader's language, and a row that shows how. */
export function templateAddress(t: TFunction, services: readonly Pick<Service, 'name'>[]): string {
  const example = services.slice(0, 2).map(({ name }) => name)
  const rows = [
    [t('email'), t('firstName'), t('lastName'), t('services'), t('role')],
    ['name@example.com', t('firstName'), t('lastName'), example.join('|'), t('organizationRoleRegular')],
  ]
  // Excel takes a file for UTF-8 only with the mark, and for columns what semicolons separate.
  const text = `\ufeff${rows.map((row) => row.map(quoted).join(';')).join('\r\n')}\r\n`
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`
}

const quoted = (cell: string) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
