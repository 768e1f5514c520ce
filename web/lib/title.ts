import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

/** How many forms on the page have been sent with errors in them. */
let mistaken = 0
let page = ''
let errorWord = ''

function show() {
  document.title = mistaken > 0 ? `${errorWord} ${page}` : page
}

/** Sets the title of the window: "Page – Vestibule"; without a page, the product alone. */
export function useTitle(text: string | undefined): void {
  const { t } = useTranslation()
  const product = t('productName')
  const word = t('errorTitlePrefix')
  useEffect(() => {
    page = text ? `${text} – ${product}` : product
    errorWord = word
    show()
  }, [text, product, word])
}

/** Puts "Error:" in front of the title while a form that was sent has something to correct. */
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
