import { Contact, policyPage, Section } from './policy-page.tsx'

const lacks = [
  'accessibilityLackQrCode',
  'accessibilityLackLanguage',
  'accessibilityLackTested',
  'accessibilityLackOthers',
] as const

/** What the Swedish act 2018:1937 asks for: status, known flaws, how it was tested, contact and supervision. */
export const loadAccessibilityPage = policyPage('accessibilityIntro', ({ say }) => (
  <>
    <Section title={say('accessibilityStatusTitle')}>
      <p>{say('accessibilityStatus')}</p>
    </Section>
    <Section title={say('accessibilityLacksTitle')}>
      <ul>
        {lacks.map((lack) => (
          <li key={lack}>{say(lack)}</li>
        ))}
      </ul>
    </Section>
    <Section title={say('accessibilityTestedTitle')}>
      <p>{say('accessibilityTested')}</p>
    </Section>
    <Section title={say('accessibilityReportTitle')}>
      <p>{say('accessibilityReport')}</p>
      <Contact />
    </Section>
    <Section title={say('accessibilitySupervisionTitle')}>
      <p>{say('accessibilitySupervision')}</p>
      <p>
        <a href="https://www.digg.se/tdosanmalan">{say('accessibilitySupervisor')}</a>
      </p>
    </Section>
  </>
))
