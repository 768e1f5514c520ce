import Download from 'lucide-react/icons/download'
import type { MouseEvent } from 'react'
import { messageText } from '#web/lib/texts/i18n.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { toasts } from '#web/ui/toast/toast-store.ts'
import { hasFreshProof } from './fresh-proof.ts'

/** A link to a file that the server gives only to somebody who has just proven who they are. */
export function DownloadLink({ href, children }: { href: string; children: string }) {
  const onClick = async (event: MouseEvent) => {
    event.preventDefault()
    try {
      if (await hasFreshProof()) save(href)
    } catch {
      toasts.show({ tone: 'danger', title: messageText('genericErrorMessage') })
    }
  }
  return (
    <LinkButton href={href} download icon={Download} onClick={(event) => void onClick(event)}>
      {children}
    </LinkButton>
  )
}

function save(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}
