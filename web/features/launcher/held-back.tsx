import { createLink } from '@tanstack/react-router'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useTranslation } from 'react-i18next'
import type { OwnMembership } from '#contract/session.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/state.tsx'

const EnterLink = createLink(LinkButton)

/** Every organisation of this person asks for a stronger sign-in. */
export function HeldBack({ organizations }: { organizations: readonly OwnMembership[] }) {
  const { t } = useTranslation()
  return organizations.map(({ organizationId, name }) => (
    <EmptyState
      key={organizationId}
      slim
      icon={ShieldCheck}
      action={
        <EnterLink to="/enter/$organizationId" params={{ organizationId }} search={{}} variant="primary">
          {t('continue')}
        </EnterLink>
      }
    >
      {t('organizationNeedsMore', { name })}
    </EmptyState>
  ))
}
