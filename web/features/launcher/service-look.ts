/** The host of a service's address; an invalid address is shown unchanged. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
