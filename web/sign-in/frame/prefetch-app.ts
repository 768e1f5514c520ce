/**
 * Fetches the files of the app into the browser's cache while somebody types a password. By `fetch`, because the policy
 * has no word that lets a prefetch link through.
 */
export function prefetchApp(): void {
  const files = document.querySelector<HTMLMetaElement>('meta[name="app-files"]')?.content.split(' ') ?? []
  const prefetch = () => {
    for (const file of files) void fetch(file, { priority: 'low' }).catch(() => undefined)
  }
  if (isSavingData()) return
  if ('requestIdleCallback' in window) requestIdleCallback(prefetch)
  else setTimeout(prefetch, 2000)
}

const isSavingData = () => {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
