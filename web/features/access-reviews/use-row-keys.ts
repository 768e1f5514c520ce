import type { KeyboardEvent } from 'react'

const keep = '[data-decision=keep]'

/** The pairs in the order in which they are decided: all services of a person stand before their single ones. */
function pairs(): HTMLElement[] {
  const rows = [...document.querySelectorAll<HTMLElement>('#main tbody tr')]
  return rows.flatMap((row) => [
    ...row.querySelectorAll<HTMLElement>('[data-level=person]'),
    ...row.querySelectorAll<HTMLElement>('[data-level=row]'),
  ])
}

const rowOf = (element: Element) => element.closest('tr')

/**
 * Moves the focus to what is decided next: after one service to the person's next one, else to the next person, whose
 * services are decided together first. Without one below, to what leads on.
 */
export function focusNext(after?: Element, orElse?: HTMLElement | null): void {
  const all = pairs()
  const pair = after?.closest<HTMLElement>('[data-level]')
  const place = pair ? all.indexOf(pair) : -1
  const isOpen = (one: HTMLElement) => one.dataset.open !== undefined
  const isNext = (one: HTMLElement) => isOpen(one) && !(pair?.dataset.level === 'person' && rowOf(one) === rowOf(pair))
  const next = all.slice(place + 1).find(isNext) ?? all.find(isOpen)
  const target =
    next?.querySelector<HTMLElement>(keep) ??
    document.querySelector<HTMLElement>('#main [data-next]') ??
    orElse ??
    document.querySelector<HTMLElement>('#main h1')
  target?.focus()
}

/** Up and down lead to the same button of the next person or service, left and right to the other button of the pair. */
export function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-decision]') : null
  const pair = button?.closest<HTMLElement>('[data-level]')
  if (!button || !pair || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const side = `[data-decision=${button.dataset.decision}]`
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const target = step
    ? pairs()[pairs().indexOf(pair) + step]?.querySelector<HTMLElement>(side)
    : { ArrowLeft: pair.firstElementChild, ArrowRight: pair.lastElementChild }[event.key]
  if (!(target instanceof HTMLElement)) return
  event.preventDefault()
  target.focus()
}
