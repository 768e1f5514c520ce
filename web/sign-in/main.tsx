import { hydrateRoot } from 'react-dom/client'
import type { Language } from '#contract/languages.ts'
import { readPageData } from './page-data.tsx'
import { prefetchApp } from './prefetch-app.ts'
import { PublicPage } from './public-page.tsx'
import { loadTexts } from './texts.ts'

const language = document.documentElement.lang as Language
const root = document.getElementById('root')
if (root) hydrateRoot(root, <PublicPage {...readPageData()} language={language} texts={await loadTexts(language)} />)
prefetchApp()
