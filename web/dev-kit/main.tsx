import { CSPProvider } from '@base-ui/react/csp-provider'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { KitPage } from './kit-page.tsx'
import { views } from './views.tsx'

const asked = new URLSearchParams(location.search)

function Kit() {
  const [theme, setTheme] = useState(asked.get('theme') ?? '')
  document.documentElement.dataset.theme = theme
  const View = Object.entries(views).find(([name]) => name === asked.get('view'))?.[1]
  return View ? <View /> : <KitPage theme={theme} setTheme={setTheme} />
}

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <Kit />
      </CSPProvider>
    </StrictMode>,
  )
