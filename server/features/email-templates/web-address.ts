/**
 * An address for a link.
 *
 * @throws TypeError for anything but http and https: `javascript:` and its like never become a link
 */
export function webAddress(text: string): string {
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError(`${url.protocol} is not a web address`)
  return url.href
}
