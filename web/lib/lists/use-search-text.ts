import { useCallback, useEffect, useRef, useState } from 'react'

/**
 * The text of a search box whose value lives in the address. What is typed shows at once and goes to the address
 * after a pause; an address that changes by itself (Back) changes the text.
 *
 * The third value commits at once: on blur, so that a user who follows a link right after typing leaves from the list that
 * was asked for.
 *
 * @param commit puts the text into the address; with `replace`, so that Back leaves the list in one step
 */
export function useSearchText(inAddress: string, commit: (text: string) => void, pause = 300) {
  const [text, setText] = useState(inAddress)
  const committed = useRef(inAddress)
  const latest = useRef(commit)
  latest.current = commit

  useEffect(() => {
    if (inAddress === committed.current) return
    committed.current = inAddress
    setText(inAddress)
  }, [inAddress])

  const flush = useCallback(() => {
    if (text === committed.current) return
    committed.current = text
    latest.current(text)
  }, [text])

  useEffect(() => {
    const timer = setTimeout(flush, pause)
    return () => clearTimeout(timer)
  }, [flush, pause])

  return [text, setText, flush] as const
}
