import type { SetupDraft } from '#contract/saml-setups/saml-setups.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Findings } from '../../saml-configs/saml-configs.ts'
import { recordTest } from '../../saml-setups/saml-setups.ts'

/** Keeps what a test with the draft of a link found. @returns where the result is shown */
export async function endSetupTest(
  db: Db,
  setup: { id: string; draft: SetupDraft },
  { ticket, result: { at, passed, checks } }: { ticket: string; result: Findings },
): Promise<string> {
  // Whether a person has an account is not for the bearer of a link.
  const told = checks.filter(({ check }) => check !== 'person')
  // Nor is it what a call met in the operator's network.
  const ofNetwork = ({ failure }: (typeof told)[number]) => failure === 'unreachable'
  await recordTest(db, setup, {
    at,
    passed,
    checks: told.map((one) => (ofNetwork(one) ? { ...one, detail: null } : one)),
  })
  return `/saml-setup?${new URLSearchParams({ ticket })}`
}
