import { expect, test } from 'vitest'
import { acceptLabels } from '#contract/invitations/accept-form.ts'
import { kept } from '#contract/kept.ts'
import { passwordResetLabels } from '#contract/password-reset/password-reset.ts'
import { bankIdMessages } from '#contract/sign-in/bankid-messages.ts'
import { publicErrors } from '#contract/sign-in/sign-in-page.ts'
import swedish from '#locales/sv/translation.json' with { type: 'json' }
import { passkeyFaults } from '#web/lib/passkeys/browser-passkeys.ts'
import { samlTextKeys } from '#web/lib/saml/saml-texts.ts'
import { floorTexts } from '#web/lib/texts/floor-text.ts'
import { commonTextKeys } from '#web/lib/texts/texts.ts'
import { policyTextKeys } from './policy-text-keys.ts'
import { setupProblems, setupTextKeys } from './setup-text-keys.ts'
import { bankIdTextKeys, fieldTexts, textKeys } from './text-keys.ts'

const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!./*text-keys.ts', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('the light entry carries no text that none of its pages says', () => {
  const sources = Object.values(files).join('\n')
  expect(sources).toContain('usePublicPage')
  const labels = [...Object.values(acceptLabels), ...Object.values(passwordResetLabels)]
  const shared = [
    ...commonTextKeys,
    ...samlTextKeys,
    ...setupProblems,
    ...floorTexts,
    ...bankIdMessages,
    ...passkeyFaults,
    ...Object.values(kept).map(({ text }) => text),
  ]
  const carried: readonly string[] = [...publicErrors, ...fieldTexts, ...shared, ...labels]
  const others = [...textKeys, ...bankIdTextKeys, ...policyTextKeys, ...setupTextKeys].filter(
    (key) => !carried.includes(key),
  )
  const isSaid = (key: string) => sources.includes(`'${key}'`) || sources.includes(`texts.${key}`)
  expect(others.filter((key) => !isSaid(key))).toEqual([])
})

test('every text that it carries exists, once', () => {
  const keys = [...textKeys, ...bankIdTextKeys, ...policyTextKeys, ...setupTextKeys]
  expect(keys.filter((key) => !Object.hasOwn(swedish, key))).toEqual([])
  expect(new Set(keys).size).toBe(keys.length)
})
