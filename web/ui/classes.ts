/** Joins class names and leaves out the ones that do not apply. */
export function classes(...names: (string | false | undefined)[]) {
  return names.filter(Boolean).join(' ')
}
