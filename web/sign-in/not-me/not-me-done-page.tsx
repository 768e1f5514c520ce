import { LinkButton } from '#web/ui/button.tsx'
import { policyPage } from '../policies/policy-page.tsx'

/** After the account was locked: the way back in. */
export const loadNotMeDonePage = policyPage('notMeDoneText', ({ say }) => (
  <LinkButton href="/reset-password" variant="primary" full>
    {say('notMeChoosePassword')}
  </LinkButton>
))
