import { useEffect, useRef, useState } from 'react'

/**
 * The text of a search box whose value lives in the address. What is typed shows at once and goes to the address
 * after a pause; an address that changes by itself (Back) changes the text.
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

  useEffect(() => {
    if (text === committed.current) return
    const timer = setTimeout(() => {
      committed.current = text
      latest.current(text)
    }, pause)
    return () => clearTimeout(timer)
  }, [text, pause])

  return [text, setText] as const
}
