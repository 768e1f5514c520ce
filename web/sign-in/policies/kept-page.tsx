import { type KeptName, kept, keptTime } from '#contract/kept.ts'
import { token } from '#contract/sign-in/sign-in-page.ts'
import { usePublicPage } from '../frame/public-page.tsx'
import { policyPage } from './policy-page.tsx'

const names = Object.keys(kept) as KeptName[]

/** Made from the table that the settings and the removing jobs read. */
export const loadKeptPage = policyPage('keptIntro', ({ say }) => {
  const { t } = usePublicPage()
  const timeOf = useTimes()
  return (
    <>
      <table {...role('table')}>
        <thead>
          <tr {...role('row')}>
            <th {...role('columnheader')} scope="col">
              {say('keptThing')}
            </th>
            <th {...role('columnheader')} scope="col">
              {say('keptTime')}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr {...role('row')}>
            <th {...role('rowheader')} scope="row">
              {say('keptAccount')}
            </th>
            <td {...role('cell')}>{say('keptUntilDeleted')}</td>
          </tr>
          {names.map((name) => (
            <tr {...role('row')} key={name}>
              <th {...role('rowheader')} scope="row">
                {say(kept[name].text)}
              </th>
              {/* The browser's words for a number of days may differ from the server's. */}
              <td {...role('cell')} suppressHydrationWarning>
                {timeOf(name)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{say('keptOther')}</p>
      <p>
        <a href="/privacy">{t('privacyHow')}</a>
      </p>
    </>
  )
})

/** The elements' own roles, repeated: some browsers drop them where a row is laid out on two lines. */
function role(role: string) {
  return { role }
}

/** In a prerendered page each time has its place; the script says the numbers in any language. */
function useTimes(): (name: KeptName) => string {
  const { data, language } = usePublicPage()
  if (data.kept === token('kept')) return token
  const counts = data.kept.split(' ')
  return (name) => keptTime(language, name, Number(counts[names.indexOf(name)]))
}
