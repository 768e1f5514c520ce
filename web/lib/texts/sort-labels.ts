import { useTranslation } from 'react-i18next'

/** What the select says that sorts a table on small screens. */
export function useSortLabels() {
  const { t } = useTranslation()
  return {
    label: t('sortBy'),
    ascending: (column: string) => t('sortAscending', { column }),
    descending: (column: string) => t('sortDescending', { column }),
  }
}
