/**
 * Takes the focus and keeps what is typed between the palette's shortcut and the moment when its input is ready. It is an
 * input of its own, because accents, input methods and pasting send no key events.
 */
export function captureTyping(label: string): () => string {
  const field = document.createElement('input')
  field.setAttribute('aria-label', label)
  // Unseen, but of full size: Chrome loses the caret in a field of one pixel. And the page must not scroll to it.
  Object.assign(field.style, { position: 'fixed', insetBlockStart: '0', opacity: '0', pointerEvents: 'none' })
  document.body.append(field)
  field.focus({ preventScroll: true })
  return () => {
    field.remove()
    return field.value
  }
}
