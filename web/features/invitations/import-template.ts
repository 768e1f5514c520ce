import type { TFunction } from 'i18next'
import type { Service } from '#contract/services/services.ts'

/** A data URL of a CSV template: the columns in the user's language, and an example row. */
export function templateAddress(t: TFunction, services: readonly Pick<Service, 'name'>[]): string {
  const example = services.slice(0, 2).map(({ name }) => name)
  const rows = [
    [t('email'), t('firstName'), t('lastName'), t('services'), t('role')],
    ['name@example.com', t('firstName'), t('lastName'), example.join('|'), t('roleRegular')],
  ]
  // Excel detects UTF-8 only by the byte order mark, and splits columns only at semicolons.
  const text = `\ufeff${rows.map((row) => row.map(quoted).join(';')).join('\r\n')}\r\n`
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`
}

const quoted = (cell: string) => (/[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
