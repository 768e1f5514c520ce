/**
 * Checks an address for use in a link.
 *
 * @throws TypeError for any scheme except http and https, such as `javascript:`
 */
export function webAddress(text: string): string {
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError(`${url.protocol} is not a web address`)
  return url.href
}
