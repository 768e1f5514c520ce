import { useTranslation } from 'react-i18next'
import { factors, type OwnFactors } from '#contract/factors/factors.ts'
import { asksForTwo, isLocal, loginMethods } from '#contract/login-methods.ts'
import { secondFactorKind } from '#contract/second-factors.ts'
import { useSave } from '#web/lib/requests/use-save.ts'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { factorName } from '#web/lib/texts/factor-names.ts'
import { RadioCards } from '#web/ui/fields/radio-cards.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'

const none = 'none'

/** What sign-in asks for first. Who has the method password may go without. */
export function UsualFactor({ own: { usual, kinds } }: { own: OwnFactors }) {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { mutate } = useSave(factors.chooseUsual)
  const mayHaveNone = isLocal(me.loginMethod) && !asksForTwo(me.loginMethod) && !me.mustEnrol
  const options = [
    ...kinds.map((kind) => ({ value: kind as string, label: t(factorName(kind)) })),
    ...(mayHaveNone ? [{ value: none, label: t('factorNone') }] : []),
  ]
  // Nothing is chosen yet where a choice is due.
  const byDefault = me.mustEnrol ? '' : mayHaveNone ? none : loginMethods.local2FA.least
  const choose = (value: string) =>
    mutate(
      { input: { usual: value === none ? null : secondFactorKind.parse(value) } },
      { onSuccess: () => toasts.show({ tone: 'success', title: t('usualFactorSaved') }) },
    )
  return <RadioCards legend={t('usualFactor')} options={options} value={usual ?? byDefault} onChange={choose} />
}
