import { getRouteApi } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auditExports } from '#contract/audit-events/audit-exports.ts'
import { useLanguage } from '#web/lib/texts/i18n.ts'
import { problemText } from '#web/lib/texts/problem-text.ts'
import { Alert } from '#web/ui/alert.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Menu, MenuItem } from '#web/ui/menu/menu.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { download } from './download.ts'
import { exportQuery } from './export-query.ts'

const route = getRouteApi('/audit-events')

interface Running {
  events: number
  megabytes: number
  error?: Error
}

/** Downloads the events as they are filtered, and says how far it is. */
export function ExportMenu() {
  const { t } = useTranslation()
  const search = route.useSearch()
  const [running, setRunning] = useState<Running>()
  const stop = useRef(() => {})
  const start = async (kind: keyof typeof auditExports) => {
    const ended = new AbortController()
    stop.current = () => ended.abort()
    const told = ({ lines, bytes }: { lines: number; bytes: number }) => ({
      events: Math.max(0, lines - 1),
      megabytes: bytes / 1024 / 1024,
    })
    setRunning(told({ lines: 0, bytes: 0 }))
    try {
      const done = await download(`${auditExports[kind].url}?${exportQuery(search)}`, {
        kind,
        signal: ended.signal,
        onProgress: (progress) => setRunning(told(progress)),
      })
      toasts.show({
        tone: 'success',
        title: t('exportDone', { events: told(done).events }),
      })
      setRunning(undefined)
    } catch (error) {
      setRunning((state) => (ended.signal.aborted || !state ? undefined : { ...state, error: error as Error }))
    }
  }
  const close = () => {
    stop.current()
    setRunning(undefined)
  }
  return (
    <>
      <Menu label={t('exportUsers')} icon={Download} look="button" align="end">
        <MenuItem onClick={() => void start('table')}>{t('exportTable')}</MenuItem>
        <MenuItem onClick={() => void start('lines')}>{t('exportLines')}</MenuItem>
      </Menu>
      {running && <ExportDialog running={running} onClose={close} />}
    </>
  )
}

function ExportDialog({ running, onClose }: { running: Running; onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { events, megabytes, error } = running
  const size = new Intl.NumberFormat(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(megabytes)
  return (
    <Dialog
      open
      size="confirm"
      title={t('exporting')}
      closeLabel={t('close')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t(error ? 'close' : 'cancel')}</Button>}
    >
      {error ? (
        <Alert tone="danger" live="alert">
          {problemText(error)}
        </Alert>
      ) : (
        <p role="status">{t('exportProgress', { events, size })}</p>
      )}
    </Dialog>
  )
}
