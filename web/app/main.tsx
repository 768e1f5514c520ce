// Before everything else: in the built page it is a file of its own, which starts this one.
import './start.ts'

import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { startTexts } from '#web/lib/i18n.ts'
import { problemText } from '#web/lib/problem-text.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { applyStyles } from './apply-styles.ts'
import { askEarly } from './ask-early.ts'
import { FatalBoundary } from './fatal-boundary.tsx'
import { FatalScreen } from './fatal-screen.tsx'
import { fetchAhead } from './fetch-ahead.ts'
import { router } from './router.ts'

// Compiling a schema into a function is what the content security policy forbids.
z.config({ jitless: true })

const client = createQueryClient((error) => {
  toasts.show({ tone: 'danger', title: problemText(error) })
})
askEarly(client)
const [speaking] = await Promise.all([startTexts(), applyStyles()])

const place = document.getElementById('root')
if (!place) throw new Error('app.html has no #root')
createRoot(place).render(
  <QueryClientProvider client={client}>
    <FatalBoundary>
      <CSPProvider disableStyleElements>{speaking ? <RouterProvider router={router} /> : <FatalScreen />}</CSPProvider>
    </FatalBoundary>
  </QueryClientProvider>,
)
if (speaking) fetchAhead()
