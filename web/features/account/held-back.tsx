import LockKeyhole from 'lucide-react/icons/lock-keyhole'
import { useTranslation } from 'react-i18next'
import { defaultMethod, isCompany, loginMethods } from '#contract/login-methods.ts'
import type { MessageKey } from '#contract/message-key.ts'
import type { OwnMembership } from '#contract/session/session.ts'
import { signInMethods } from '#contract/sign-in-methods.ts'
import { useEnter } from '#web/lib/session/enter-organization.ts'
import { Button } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import styles from '#web/ui/things.module.css'

const askedFor = ({ needs, factors }: OwnMembership): MessageKey => {
  if (factors?.every((kind) => signInMethods[kind].step === 'key')) return 'stepUpPasskeyText'
  return loginMethods[needs ?? defaultMethod].stepUp
}

/** An organisation that asks for more than this sign-in: that it does is all that this session learns of it. */
export function HeldBack({ organization }: { organization: OwnMembership }) {
  const { t } = useTranslation()
  const enter = useEnter()
  const { organizationId, name, needs } = organization
  return (
    <li className={styles.row}>
      <Icon of={LockKeyhole} size={20} />
      <div className={styles.about}>
        <p className={styles.name}>{name}</p>
        <p className={styles.facts}>{t(askedFor(organization), { name })}</p>
      </div>
      {!isCompany(needs) && (
        <Button size="small" aria-label={`${t('stepUpTitle')}: ${name}`} onClick={() => enter(organizationId)}>
          {t('stepUpTitle')}
        </Button>
      )}
    </li>
  )
}
