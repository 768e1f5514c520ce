/** How long a dismissed toast stays in the store, in ms; a screen reader may still be reading it. */
export const REMOVE_AFTER = 5000
const SUCCESS_STAYS = 6000
const LIMIT = 3

export interface Toast {
  id: string
  open: boolean
  title: string
  content?: string | undefined
  /** Success leaves by itself after 6 s; danger stays until somebody closes it. */
  tone: 'success' | 'danger'
}

interface Clock {
  now: () => number
  setTimeout: (run: () => void, ms: number) => unknown
  clearTimeout: (timer: never) => void
}

interface Countdown {
  left: number
  since: number
  timer: unknown
}

/** Toasts outside React, so that a failed request anywhere can show one. At most three are open. */
export function createToastStore(clock: Clock) {
  let toasts: readonly Toast[] = []
  let paused = false
  let count = 0
  const countdowns = new Map<string, Countdown>()
  const listeners = new Set<() => void>()

  const set = (next: readonly Toast[]) => {
    toasts = next
    for (const listener of listeners) listener()
  }
  const run = (id: string, countdown: Countdown) => {
    countdown.since = clock.now()
    countdown.timer = clock.setTimeout(() => dismiss(id), countdown.left)
  }

  function show(toast: Pick<Toast, 'title' | 'content' | 'tone'>) {
    const id = `toast-${++count}`
    const crowd = toasts.filter(({ open }) => open)
    for (const oldest of crowd.slice(0, Math.max(0, crowd.length - LIMIT + 1))) dismiss(oldest.id)
    set([...toasts, { ...toast, id, open: true }])
    if (toast.tone === 'success') {
      const countdown = { left: SUCCESS_STAYS, since: clock.now(), timer: undefined }
      countdowns.set(id, countdown)
      if (!paused) run(id, countdown)
    }
    return id
  }

  function dismiss(id: string) {
    const countdown = countdowns.get(id)
    if (countdown) clock.clearTimeout(countdown.timer as never)
    countdowns.delete(id)
    if (!toasts.some((toast) => toast.id === id && toast.open)) return
    set(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
    clock.setTimeout(() => set(toasts.filter((toast) => toast.id !== id)), REMOVE_AFTER)
  }

  /** Someone reads, points or has looked away: nothing leaves meanwhile. */
  function pause(next: boolean) {
    if (next === paused) return
    paused = next
    for (const [id, countdown] of countdowns) {
      if (!paused) run(id, countdown)
      else {
        clock.clearTimeout(countdown.timer as never)
        countdown.left -= clock.now() - countdown.since
      }
    }
  }

  function subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  return { show, dismiss, pause, subscribe, all: () => toasts }
}

export type ToastStore = ReturnType<typeof createToastStore>

/** The page's own store. */
export const toasts = createToastStore({
  now: () => performance.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (timer) => clearTimeout(timer),
})
