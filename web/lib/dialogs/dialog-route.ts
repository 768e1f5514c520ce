import { type LinkProps, useLocation, useNavigate, useRouter } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page below the dialog is the entry before this one. */
    openedFromPage?: true
    /** The organisation in which something is to be seen, where another one may be chosen. */
    inOrganization?: string
    /** A tested organisation sign-in waits for the organisation that is opened. */
    useSignIn?: true
    /** The list that led here, as it was; a page without a dialog leads back to it by a link. */
    cameFrom?: CameFrom
  }
}

const lists = ['/user-administration', '/organization-settings', '/users'] as const

/** A list of people or of organisations, with its page, order and search. */
export interface CameFrom {
  to: (typeof lists)[number]
  search: Record<string, unknown>
}

/** For what leads away from a place that may be one of the lists. */
export function cameFrom({ pathname, search }: { pathname: string; search: object }): { cameFrom?: CameFrom } {
  const to = lists.find((list) => list === pathname)
  return to ? { cameFrom: { to, search: { ...search } } } : {}
}

/** For the links that open a dialog: `<Link state={openedFromPage} …>`. */
export const openedFromPage = { openedFromPage: true } as const

/** Closes a dialog; `{saved: true}` after a save, when there is nothing left to ask about. */
export type CloseDialog = (why?: { saved: boolean }) => void

/** A step back has been asked for and has not been taken. */
let steppingBack = false
const stepTaken = () => {
  steppingBack = false
}

/**
 * Closes a dialog that has an address of its own: one step back to the list that opened it, with its page, order and
 * search as they were; a dialog that was opened by its address gives way to the list.
 */
export function useCloseDialog(to: NonNullable<LinkProps['to']>): CloseDialog {
  const router = useRouter()
  const navigate = useNavigate()
  const opened = useLocation({ select: ({ state }) => state.openedFromPage })
  const place = useLocation({ select: ({ state }) => state.__TSR_index })
  return ({ saved } = { saved: false }) => {
    if (!opened) return void navigate({ to, search: true, replace: true, ignoreBlocker: saved })
    // The step takes its time, and so does drawing what it led to: a second one meanwhile would leave the list as well.
    if (steppingBack || history.state?.__TSR_index !== place) return
    steppingBack = true
    addEventListener('popstate', stepTaken, { once: true })
    router.history.back({ ignoreBlocker: saved })
  }
}
