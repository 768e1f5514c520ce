import { useTranslation } from 'react-i18next'
import type { ProofStep } from '#contract/step-up/fresh-proof.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'

/** BankID and the company's sign-in have pages of their own: they open in another window, so that this one stays as it is. */
export function ConfirmElsewhere({ steps, email }: { steps: readonly ProofStep[]; email: string }) {
  const { t } = useTranslation()
  const hasBankId = steps.includes('bankid')
  const hasCompany = steps.includes('company')
  if (!hasBankId && !hasCompany) return null
  return (
    <>
      <p>{t('confirmElsewhereText')}</p>
      <FormActions>
        {hasCompany && (
          <LinkButton href={signInPath({ email })} target="_blank" rel="opener" variant="primary">
            {t('confirmWithCompany')}
          </LinkButton>
        )}
        {hasBankId && (
          <LinkButton
            href={signInPath({ email, method: 'bankid' })}
            target="_blank"
            rel="opener"
            variant={hasCompany || steps.length > 1 ? 'secondary' : 'primary'}
          >
            {t('continueWithBankId')}
          </LinkButton>
        )}
      </FormActions>
    </>
  )
}

const signInPath = (who: Record<string, string>) =>
  `/login?${new URLSearchParams({ prompt: 'login', returnTo: '/confirmed', ...who })}`
