import { renderToString } from 'react-dom/server'
import { type Language, languages } from '#contract/languages.ts'
import { type PublicPage as PageName, publicPages, section, token } from '#contract/sign-in/sign-in-page.ts'
import en from '#locales/en/translation.json'
import fi from '#locales/fi/translation.json'
import fr from '#locales/fr/translation.json'
import sv from '#locales/sv/translation.json'
import { prerenderedData } from './frame/page-data.tsx'
import { PublicPage } from './frame/public-page.tsx'
import { pages } from './pages.ts'

const texts = { sv, en, fi, fr }

/** Every prerendered page, with the file of the part that it is. */
export const prerendered = publicPages.flatMap((page) =>
  languages.map((language) => ({ page, language, part: pages[page].part })),
)

/** What stands in `#root`, with places for what only the server knows. */
async function renderPage(page: PageName, language: Language): Promise<string> {
  // The place of the message is its key's place: the server fills in both.
  const withMessage = { ...texts[language], [token('error')]: token('errorText') }
  const { load, title } = pages[page]
  const Page = await load(language)
  return renderToString(
    <PublicPage page={page} title={title} Page={Page} data={prerenderedData} language={language} texts={withMessage} />,
  )
}

/** "Sign in – Vestibule", with the place for "Error:" on the pages that have a form. */
function renderTitle(page: PageName, language: Language): string {
  const { errorTitlePrefix, productName, ...others } = texts[language]
  const { title, form } = pages[page]
  const mark = section('error')
  return `${form ? `${mark.start}${errorTitlePrefix} ${mark.end}` : ''}${others[title as 'signIn']} – ${productName}`
}

interface Files {
  /** Every style of the entry, as text. */
  style: string
  /** The texts of the page's language, which the script needs at once. */
  texts: string
  /** The scripts of the page, where they are a part of their own. */
  part: readonly string[]
  /** The app's scripts and styles, to be fetched when there is nothing else to do. */
  app: readonly string[]
}

/** The whole page: the built `sign-in.html` with language, title and content, and the styles themselves beside their sheets. */
export async function renderDocument(
  template: string,
  { page, language, files }: { page: PageName; language: Language; files: Files },
): Promise<string> {
  const { preload } = pages[page]
  const head = [
    ...[files.texts, ...files.part].map(
      (file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">`,
    ),
    preload ? `<link rel="preload" as="fetch" crossorigin href="${preload}">` : '',
    `<meta name="app-files" content="${files.app.join(' ')}">`,
  ]
  const parts: [place: string | RegExp, filled: string][] = [
    ['<html lang="sv">', `<html lang="${language}" data-hue="${token('hue')}">`],
    ['<title>Vestibule</title>', `<title>${renderTitle(page, language)}</title>`],
    ['<link rel="stylesheet"', `<style>${files.style}</style><link rel="stylesheet"`],
    // Nobody fetches them. A part of the page that lists them finds them there, and does not ask for them either: coming
    // last they would win over the styles of the part.
    [/<link rel="stylesheet" crossorigin /g, '<link rel="stylesheet" disabled '],
    ['</head>', `${head.join('')}</head>`],
    ['<div id="root"></div>', `<div id="root">${await renderPage(page, language)}</div>`],
  ]
  return parts.reduce((html, [place, filled]) => {
    if (html.search(place) === -1) throw new Error(`sign-in.html has no ${place}`)
    // As a function: a dollar sign in a style is a dollar sign.
    return html.replace(place, () => filled)
  }, template)
}
