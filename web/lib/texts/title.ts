import { useEffect } from 'react'

/** How many parts of the page have something to correct. */
let mistaken = 0
let page = ''
let errorWord = ''

function show() {
  document.title = mistaken > 0 ? `${errorWord} ${page}` : page
}

/** Sets the title of the window: "Page – Vestibule"; without a page, the product alone. */
export function useTitle(text: string | undefined, t: (key: 'errorTitlePrefix' | 'productName') => string): void {
  const product = t('productName')
  const word = t('errorTitlePrefix')
  useEffect(() => {
    page = text ? `${text} – ${product}` : product
    errorWord = word
    show()
  }, [text, product, word])
}

/** Puts "Error:" in front of the title while there is something to correct. */
export function useErrorInTitle(wrong: boolean): void {
  useEffect(() => {
    if (!wrong) return
    mistaken++
    show()
    return () => {
      mistaken--
      show()
    }
  }, [wrong])
}
