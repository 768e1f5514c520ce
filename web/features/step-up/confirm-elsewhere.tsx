import { useTranslation } from 'react-i18next'
import { raisingMethods, signInMethods } from '#contract/sign-in-methods.ts'
import type { ProofStep } from '#contract/step-up/fresh-proof.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { FormActions } from '#web/ui/frame/page.tsx'

/** BankID and the company's sign-in have pages of their own: they open in another window, so that this one stays as it is. */
export function ConfirmElsewhere({ steps, email }: { steps: readonly ProofStep[]; email: string }) {
  const { t } = useTranslation()
  const elsewhere = steps.flatMap((step, index) => {
    const method = signInMethods[step]
    return 'goOn' in method ? [{ step, label: method.goOn, isFirst: index === 0 }] : []
  })
  if (elsewhere.length === 0) return null
  return (
    <>
      <p>{t('confirmElsewhereText')}</p>
      <FormActions>
        {elsewhere.map(({ step, label, isFirst }) => (
          <LinkButton
            key={step}
            href={signInPath({ email, ...(raises(step) && { method: step }) })}
            target="_blank"
            rel="opener"
            variant={isFirst ? 'primary' : 'secondary'}
          >
            {t(label)}
          </LinkButton>
        ))}
      </FormActions>
    </>
  )
}

const raises = (step: ProofStep) => raisingMethods.some((method) => method === step)

const signInPath = (who: Record<string, string>) =>
  `/login?${new URLSearchParams({ prompt: 'login', returnTo: '/confirmed', ...who })}`
