import { hydrateRoot } from 'react-dom/client'
import type { Language } from '#contract/languages.ts'
import { readPageData } from './page-data.tsx'
import { pages } from './pages.ts'
import { prefetchApp } from './prefetch-app.ts'
import { PublicPage } from './public-page.tsx'
import { loadTexts } from './texts.ts'

const language = document.documentElement.lang as Language
const root = document.getElementById('root')
const { page, data } = readPageData()
const [Page, texts] = await Promise.all([pages[page].load(), loadTexts(language)])
if (root) hydrateRoot(root, <PublicPage page={page} Page={Page} data={data} language={language} texts={texts} />)
prefetchApp()
