import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Loaded, type Question, WayBackProvider } from '#web/lib/requests/loaded.tsx'
import { Dialog, type DialogProps, DialogThatLoads } from '#web/ui/dialog.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { useDelayedBusy } from '#web/ui/use-delayed-busy.ts'

interface LoadingDialogProps<Data> extends Pick<DialogProps, 'title' | 'size' | 'onClose' | 'backLabel'> {
  query: Question<Data>
  /** The dialog itself, once its data has loaded. */
  children: (data: Data) => ReactNode
}

/**
 * A dialog whose content is loaded first. A short wait shows nothing, so that it does not open twice; after it, a skeleton
 * about as tall as the content keeps the dialog from jumping.
 */
export function LoadingDialog<Data>({ query, children, ...dialog }: LoadingDialogProps<Data>) {
  const { t } = useTranslation()
  const slow = useDelayedBusy(query.data === undefined && !query.error)
  // Another element than the skeleton's dialog, also where the content is a dialog itself: that one would grow from its centre.
  if (query.data !== undefined) return <DialogThatLoads key="loaded">{children(query.data)}</DialogThatLoads>
  if (!slow && !query.error) return null
  return (
    <DialogThatLoads>
      <Dialog open {...dialog} closeLabel={t('close')}>
        <WayBackProvider value={() => dialog.onClose()}>
          <Loaded
            query={query}
            skeleton={
              <SkeletonGroup label={t('loading')}>
                <Skeleton shape="control" count={dialog.size === 'small' ? 2 : 6} />
              </SkeletonGroup>
            }
          >
            {() => null}
          </Loaded>
        </WayBackProvider>
      </Dialog>
    </DialogThatLoads>
  )
}
