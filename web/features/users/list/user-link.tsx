import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { openedFromPage } from '#web/lib/dialogs/dialog-route.ts'

interface UserLinkProps {
  on: '/users' | '/user-administration'
  accountId: string
  children: ReactNode
}

/** Opens a user above the list. */
export function UserLink({ on, accountId, children }: UserLinkProps) {
  return (
    <Link to={`${on}/$accountId`} params={{ accountId }} search={true} state={openedFromPage}>
      {children}
    </Link>
  )
}
