import { usePublicPage } from '../frame/public-page.tsx'
import { Contact, policyPage, Section } from './policy-page.tsx'

/** What the portal does with personal data; the operator's own page comes in its place where there is one. */
export const loadPrivacyPage = policyPage('privacyResponsible', ({ say }) => (
  <>
    <Contact />
    <Section title={say('privacyWhatTitle')}>
      <p>{say('privacyWhat')}</p>
    </Section>
    <Section title={say('privacyWhyTitle')}>
      <p>{say('privacyWhy')}</p>
    </Section>
    <Section title={say('privacyWhoTitle')}>
      <p>{say('privacyWho')}</p>
    </Section>
    <Section title={say('keptTime')}>
      <p>
        <a href="/privacy/kept">
          <KeptTitle />
        </a>
      </p>
    </Section>
    <Section title={say('privacyRightsTitle')}>
      <p>{say('privacyRights')}</p>
    </Section>
  </>
))

const KeptTitle = () => usePublicPage().t('keptTitle')
