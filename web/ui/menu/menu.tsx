import type { LucideIcon } from 'lucide-react'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import {
  type ComponentProps,
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  use,
  useId,
} from 'react'
import { Icon } from '../icon.tsx'
import styles from './menu.module.css'
import { MenuGroup } from './menu-group.tsx'
import { MenuClosing, useMenu } from './use-menu.ts'

export interface MenuProps {
  /** The label of the button. */
  label: ReactNode
  /** Its name for screen readers, where the visible label alone says too little: "Organisation: Nordvik AB". */
  name?: string | undefined
  icon?: LucideIcon | undefined
  align?: 'start' | 'end' | undefined
  /** `button`: bordered, as among other buttons; `icon`: its icon alone, beside the page's first action. */
  look?: 'bar' | 'button' | 'primary' | 'icon' | undefined
  /** `top` where the button stands at the bottom. */
  side?: 'bottom' | 'top' | undefined
  /** Marks that the current page is one of this menu's. */
  current?: boolean | undefined
  children: ReactNode
}

/**
 * A button with a menu below it, after the ARIA menu button pattern. Our own, because the header is on every page and
 * the library's menu alone weighs a quarter of what the launcher may.
 */
export function Menu({ label, name, icon, align = 'start', look, side, current, children }: MenuProps) {
  const id = useId()
  const { open, close, boxProps, triggerProps, popupProps } = useMenu()
  return (
    <div className={styles.box} data-look={look} {...boxProps}>
      <button
        type="button"
        {...triggerProps}
        className={styles.trigger}
        data-look={look}
        aria-label={name ?? (look === 'icon' && typeof label === 'string' ? label : undefined)}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        data-current={current || undefined}
      >
        {icon && <Icon of={icon} />}
        {look !== 'icon' && (
          <>
            <span className={styles.label}>{label}</span>
            <Icon of={ChevronDown} />
          </>
        )}
      </button>
      {open && (
        <div
          {...popupProps}
          id={id}
          role="menu"
          // A keyboard scrolls it.
          tabIndex={0}
          aria-label={name ?? (typeof label === 'string' ? label : undefined)}
          className={styles.popup}
          data-align={align}
          data-side={side}
        >
          <MenuClosing value={close}>{children}</MenuClosing>
        </div>
      )}
    </div>
  )
}

interface MenuItemProps {
  icon?: LucideIcon | undefined
  tone?: 'danger' | undefined
  disabled?: boolean | undefined
  onClick: () => void
  children: ReactNode
}

export function MenuItem({ icon, tone, disabled, onClick, children }: MenuItemProps) {
  const close = use(MenuClosing)
  const choose = () => {
    if (disabled) return
    close()
    onClick()
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-tone={tone}
      aria-disabled={disabled || undefined}
      onClick={choose}
    >
      {icon && <Icon of={icon} />}
      <span className={styles.text}>{children}</span>
    </button>
  )
}

interface MenuLinkProps {
  icon?: LucideIcon | undefined
  /** An `<a href>` or a router's link; it gets the look, the role and the keyboard. */
  link: ReactElement<ComponentProps<'a'>>
  children: ReactNode
}

export function MenuLink({ icon, link, children }: MenuLinkProps) {
  const close = use(MenuClosing)
  return cloneElement(
    link,
    {
      role: 'menuitem',
      tabIndex: -1,
      className: styles.item,
      onClick: (event: MouseEvent<HTMLAnchorElement>) => {
        link.props.onClick?.(event)
        close()
      },
    },
    <>
      {icon && <Icon of={icon} />}
      <span className={styles.text}>{children}</span>
    </>,
  )
}

interface MenuChoiceProps {
  label: string
  value: string
  options: readonly { value: string; label: string; lang?: string | undefined }[]
  onChange: (value: string) => void
}

/** One of several, with a tick at the current one: organisation, theme, language. */
export function MenuChoice({ label, value, options, onChange }: MenuChoiceProps) {
  const close = use(MenuClosing)
  const choose = (next: string) => {
    close()
    if (next !== value) onChange(next)
  }
  return (
    <MenuGroup label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={option.value === value}
          lang={option.lang}
          className={styles.item}
          onClick={() => choose(option.value)}
        >
          <span className={styles.text}>{option.label}</span>
          {option.value === value && (
            <span className={styles.tick}>
              <Icon of={Check} />
            </span>
          )}
        </button>
      ))}
    </MenuGroup>
  )
}
