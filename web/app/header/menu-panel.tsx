import { createLink } from '@tanstack/react-router'
import LogOut from 'lucide-react/icons/log-out'
import { useTranslation } from 'react-i18next'
import { signOut } from '#web/lib/requests/sign-out.tsx'
import { useSignedIn } from '#web/lib/session/signed-in.tsx'
import { signInMethodTexts } from '#web/lib/texts/sign-in-methods.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/fields/field.tsx'
import { Select } from '#web/ui/fields/select.tsx'
import { PanelGroup, PanelLink } from '#web/ui/frame/top-bar.tsx'
import { useAppearance } from '../use-appearance.ts'
import { type MenuEntry, useMenus } from '../use-menus.ts'
import styles from './menu-panel.module.css'

const EntryLink = createLink(PanelLink)

/** Everything of the bar and the account menu, for small screens. */
export function MenuPanel() {
  const { t } = useTranslation()
  const { me } = useSignedIn()
  const { theme, language } = useAppearance()
  const { bar, administration, account } = useMenus()
  return (
    <>
      <Entries of={bar} />
      {administration.map(({ label, entries }) => (
        <PanelGroup key={label} label={t(label ?? 'administration')}>
          <Entries of={entries} />
        </PanelGroup>
      ))}
      <PanelGroup label={me.firstName || t('accountMenu')}>
        <p className={styles.note}>{t('signedInWith', { method: t(signInMethodTexts[me.signedInWith]) })}</p>
        <Entries of={account} />
        <div className={styles.choices}>
          {[theme, language].map(({ label, value, options, onChange }) => (
            <Field key={label} label={label}>
              <Select value={value} onChange={(event) => onChange(event.target.value)}>
                {options.map((option) => (
                  <option key={option.value} value={option.value} lang={'lang' in option ? option.lang : undefined}>
                    {option.label}
                  </option>
                ))}
              </Select>
            </Field>
          ))}
        </div>
        <div className={styles.signOut}>
          <Button full icon={LogOut} onClick={signOut}>
            {t('signOut')}
          </Button>
        </div>
      </PanelGroup>
    </>
  )
}

function Entries({ of: entries }: { of: readonly MenuEntry[] }) {
  const { t } = useTranslation()
  return entries.map(({ to, title }) => (
    <EntryLink key={to} to={to} activeOptions={{ exact: to === '/' }}>
      {t(title)}
    </EntryLink>
  ))
}
