import { useTranslation } from 'react-i18next'
import { loginMethods } from '#contract/login-methods.ts'
import type { Membership } from '#contract/session/session.ts'
import { Alert } from '#web/ui/alert.tsx'

/** Organisations whose sign-in the person cannot meet, and what is missing. */
export function CannotEnter({ organizations }: { organizations: readonly Membership[] }) {
  const { t } = useTranslation()
  return organizations.map(
    ({ organizationId, name, cannotEnter }) =>
      cannotEnter && (
        <Alert key={organizationId} tone="warn">
          {t(loginMethods[cannotEnter].cannotEnter, { name })}
        </Alert>
      ),
  )
}
