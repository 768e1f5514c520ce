import { useLayoutEffect } from 'react'
import { useCurrentOrganization } from '#web/lib/session/signed-in.tsx'

/** The hue of the chosen organisation. The server wrote that of the first one into the page; another choice follows here. */
export function useBrandHue(): void {
  const { membership } = useCurrentOrganization()
  const isKnown = membership !== undefined
  const hue = membership?.brand?.hue
  useLayoutEffect(() => {
    if (!isKnown) return
    const { dataset } = document.documentElement
    if (hue === null || hue === undefined) delete dataset.hue
    else dataset.hue = String(hue)
  }, [isKnown, hue])
}
