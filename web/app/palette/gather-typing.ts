/**
 * Takes the focus and keeps what is typed, until that is taken over: between the keys that open the palette and the
 * moment when its box can be typed in, nobody stops typing. A field of its own, because accents, input methods and
 * pasting have no keys to listen to.
 */
export function gatherTyping(label: string): () => string {
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
