import { type KeyboardEvent, useRef } from 'react'

const cardLinks = (place: ParentNode | null) =>
  Array.from(place?.querySelectorAll<HTMLElement>('[data-card-link]') ?? [])

/**
 * The keyboard in the launcher: arrows move between the cards, down leads from the search to the first card, and Enter
 * there opens it. No letter or sign alone does anything: speech input would set it off (WCAG 2.1.4).
 */
export function useCardKeys() {
  const place = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const links = cardLinks(place.current)
    const target = event.target as HTMLElement
    const next =
      target instanceof HTMLInputElement
        ? fromSearch(event.key, links)
        : beside(event.key, links, links.indexOf(target))
    if (!next) return
    event.preventDefault()
    if (event.key === 'Enter') next.click()
    else next.focus()
  }
  return { place, onKeyDown }
}

const fromSearch = (key: string, links: readonly HTMLElement[]) =>
  key === 'ArrowDown' || key === 'Enter' ? links[0] : undefined

function beside(key: string, links: readonly HTMLElement[], at: number): HTMLElement | undefined {
  const from = links[at]
  if (!from) return undefined
  if (key === 'ArrowRight') return links[at + 1]
  if (key === 'ArrowLeft') return links[at - 1]
  if (key === 'Home') return links[0]
  if (key === 'End') return links.at(-1)
  if (key === 'ArrowDown' || key === 'ArrowUp') return nearest(from, links, key === 'ArrowDown' ? 1 : -1)
  return undefined
}

/** The card in the next row whose middle is nearest, whatever the number of columns. */
function nearest(from: HTMLElement, links: readonly HTMLElement[], direction: 1 | -1): HTMLElement | undefined {
  const boxOf = (link: HTMLElement) => (link.closest('li') ?? link).getBoundingClientRect()
  const { x, y } = boxOf(from)
  const beyond = links
    .map((link) => ({ link, box: boxOf(link) }))
    .filter(({ box }) => (box.y - y) * direction > box.height / 2)
  const row = Math.min(...beyond.map(({ box }) => (box.y - y) * direction))
  return beyond
    .filter(({ box }) => Math.abs((box.y - y) * direction - row) < box.height / 2)
    .sort((a, b) => Math.abs(a.box.x - x) - Math.abs(b.box.x - x))[0]?.link
}
