import '#web/lib/forms/zod-config.ts'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '#web/lib/requests/query-client.ts'
import { startTexts } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { AppTexts } from './app-texts.tsx'
import { applyStyles } from './apply-styles.ts'
import { FatalBoundary } from './fatal-boundary.tsx'
import { loadStart } from './load-start.ts'
import { prefetchParts } from './prefetch-parts.ts'
import { router } from './router.ts'

/** Nothing can be said without them: the boundary above reports it, and shows the reference. */
function NoTexts(): never {
  throw new Error('the texts could not be loaded')
}

const client = createQueryClient((error) => {
  toasts.show({ tone: 'danger', title: problemText(error) })
})
loadStart(client)
const [speaking] = await Promise.all([startTexts(), applyStyles()])

const place = document.getElementById('root')
if (!place) throw new Error('app.html has no #root')
createRoot(place).render(
  <QueryClientProvider client={client}>
    <FatalBoundary>
      <CSPProvider disableStyleElements>
        {speaking ? (
          <AppTexts>
            <RouterProvider router={router} />
          </AppTexts>
        ) : (
          <NoTexts />
        )}
      </CSPProvider>
    </FatalBoundary>
  </QueryClientProvider>,
)
if (speaking) prefetchParts(router)
