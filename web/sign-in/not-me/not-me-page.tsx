import { Button } from '#web/ui/button.tsx'
import { policyPage } from '../policies/policy-page.tsx'

/** From a mail: closes the account to whoever got in. A form, because mail scanners open links. */
export const loadNotMePage = policyPage('notMeText', ({ say }) => (
  <form method="post">
    <Button type="submit" variant="danger" full>
      {say('notMeLock')}
    </Button>
  </form>
))
