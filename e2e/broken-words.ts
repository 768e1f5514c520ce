import type { Page } from '@playwright/test'

/**
 * The words of the product's texts that are broken in the middle although they would fit on a line. What takes more than
 * two thirds of the window may break: browsers with a dictionary hyphenate it.
 *
 * @param texts what the product says; names of people and things are not looked at
 */
export async function brokenWords(page: Page, texts: Record<string, string>): Promise<string[]> {
  const own = new Set(Object.values(texts).flatMap((text) => text.match(/\p{L}{2,}/gu) ?? []))
  return (await wordsOnTwoLines(page)).filter((word) => own.has(word))
}

const wordsOnTwoLines = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const broken = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const shown = node.parentElement?.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      if (!shown || node.parentElement?.closest('.vh, [aria-hidden=true], svg, code, select')) continue
      for (const { 0: word, index } of node.data.matchAll(/\p{L}{2,}/gu)) {
        const around = node.data.slice(0, index).match(/\S*$/)?.[0] + (node.data.slice(index).match(/^\S*/)?.[0] ?? '')
        // A part of an address.
        if (/[@\d_]|\p{L}\.\p{L}|:\/\//u.test(around)) continue
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        const pieces = [...range.getClientRects()].filter(({ width }) => width > 0)
        const width = pieces.reduce((sum, piece) => sum + piece.width, 0)
        const lines = new Set(pieces.map(({ top }) => Math.round(top)))
        if (lines.size > 1 && width < (window.innerWidth * 2) / 3) broken.add(word)
      }
    }
    return [...broken]
  })
