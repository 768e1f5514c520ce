import { declaredRoutes } from '../declared.ts'

// Some browsers (Chromium 150) never fetch a module again that could not be fetched once, under the same address.
let failedAddress: string | undefined
let tries = 0

async function importDialog(): Promise<typeof import('./palette-dialog.tsx')> {
  try {
    return await (failedAddress
      ? import(/* @vite-ignore */ `${failedAddress}?${++tries}`)
      : import('./palette-dialog.tsx'))
  } catch (error) {
    failedAddress ??= /https?:\/\/[^\s?]+\.js/.exec(String(error))?.[0]
    throw error
  }
}

/** The palette's dialog, and what the rooms find for it. */
export async function loadPalette(router: Parameters<typeof declaredRoutes>[0]) {
  const [{ PaletteDialog }, finders] = await Promise.all([
    importDialog(),
    Promise.all(declaredRoutes(router).flatMap(({ find }) => find?.() ?? [])),
  ])
  return { PaletteDialog, finders }
}

export type LoadedPalette = Awaited<ReturnType<typeof loadPalette>>
