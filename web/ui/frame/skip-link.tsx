import styles from './skip-link.module.css'

/** The first stop of the Tab key: past the header, straight to the content. */
export function SkipLink({ children, target = 'main' }: { children: string; target?: string | undefined }) {
  return (
    <a
      className={styles.skip}
      href={`#${target}`}
      onClick={(event) => {
        // By hand, because a router may own the address and the hash with it.
        const place = document.getElementById(target)
        if (!place) return
        event.preventDefault()
        place.focus()
        place.scrollIntoView()
      }}
    >
      {children}
    </a>
  )
}
