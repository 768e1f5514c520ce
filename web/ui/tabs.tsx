import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './tabs.module.css'

export interface Tab {
  value: string
  label: string
  panel: ReactNode
  /** Errors inside, shown while the tab is in the background; `text` says them aloud: "2 errors". */
  errors?: { count: number; text: string } | undefined
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
  value: string
  onChange: (value: string) => void
}

/** Panels stay mounted, so that half a form does not forget what was typed into the other half. */
export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // Sideways alone: the page stays where it is.
    const row = list.current
    const chosen = row?.querySelector(`[data-value="${CSS.escape(value)}"]`)?.getBoundingClientRect()
    if (!row || !chosen) return
    const { left, right } = row.getBoundingClientRect()
    if (chosen.right > right) row.scrollLeft += chosen.right - right
    if (chosen.left < left) row.scrollLeft -= left - chosen.left
  }, [value])

  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value)
    const target = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const next = target === undefined ? undefined : tabs[target]
    if (!next) return
    event.preventDefault()
    onChange(next.value)
    const button = list.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)
    button?.focus()
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className={styles.list} onKeyDown={move}>
        {tabs.map((tab) => {
          const selected = tab.value === value
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}-tab`}
              data-value={tab.value}
              aria-selected={selected}
              aria-controls={`${id}-${tab.value}`}
              tabIndex={selected ? 0 : -1}
              className={styles.tab}
              onClick={() => onChange(tab.value)}
            >
              {tab.label}
              {tab.errors && tab.errors.count > 0 && (
                <span className={styles.errors}>
                  <span aria-hidden="true">{tab.errors.count}</span>
                  <span className="vh">{tab.errors.text}</span>
                </span>
              )}
            </button>
          )
        })}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}`}
          aria-labelledby={`${id}-${tab.value}-tab`}
          hidden={tab.value !== value}
          className={styles.panel}
        >
          {tab.panel}
        </div>
      ))}
    </>
  )
}
