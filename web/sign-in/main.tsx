import { hydrateRoot } from 'react-dom/client'
import type { Language } from '#contract/languages.ts'
import { readPageData } from './frame/page-data.tsx'
import { prefetchApp } from './frame/prefetch-app.ts'
import { PublicPage } from './frame/public-page.tsx'
import { loadTexts } from './frame/texts.ts'
import { PageBoundary } from './messages/page-boundary.tsx'
import { pages } from './pages.ts'

const language = document.documentElement.lang as Language
const root = document.getElementById('root')
const { page, data } = readPageData()
const { load, title } = pages[page]
const [Page, texts] = await Promise.all([load(language), loadTexts(language)])
const GuardedPage = () => (
  <PageBoundary>
    <Page />
  </PageBoundary>
)
if (root)
  hydrateRoot(
    root,
    <PublicPage page={page} title={title} Page={GuardedPage} data={data} language={language} texts={texts} />,
  )
prefetchApp()
