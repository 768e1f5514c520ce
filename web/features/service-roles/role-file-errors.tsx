import { useTranslation } from 'react-i18next'
import type { RolesInFile } from '#contract/service-roles/role-files.ts'
import { serviceRoleLabels } from '#contract/service-roles/service-roles.ts'
import { ApiProblem } from '#web/lib/requests/api-problem.ts'
import { messageText } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'

/** More would not be read at once. */
const maxShown = 20

/** What is wrong with a file of roles, by row. */
export function RoleFileErrors({ error, list }: { error: Error; list: RolesInFile | undefined }) {
  const { t } = useTranslation()
  const issues = error instanceof ApiProblem ? error.issues : []
  const lines = issues.slice(0, maxShown).map(({ path, message, detail }) => {
    const [, row, field = ''] = /^roles\.(\d+)\.?([^.]*)/.exec(path) ?? []
    const key = row === undefined ? undefined : list?.roles[Number(row)]?.key
    const place =
      row === undefined
        ? []
        : [
            typeof key === 'string'
              ? t('rolesImportRowNamed', { row: Number(row) + 1, key })
              : t('rolesImportRow', { row: Number(row) + 1 }),
          ]
    const label = Object.hasOwn(serviceRoleLabels, field)
      ? t(serviceRoleLabels[field as keyof typeof serviceRoleLabels])
      : field || path
    const named = detail && detail !== key ? `${label} (${detail})` : label
    return `${[...place, named].join(', ')}: ${messageText(message)}`
  })
  if (lines.length === 0)
    return (
      <Alert tone="danger" live="alert">
        {problemText(error)}
      </Alert>
    )
  return (
    <Alert tone="danger" live="alert" title={t('rolesImportWrong')}>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Alert>
  )
}
