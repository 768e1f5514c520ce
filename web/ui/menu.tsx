import { Menu as Base } from '@base-ui/react/menu'
import { Check, ChevronDown, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './menu.module.css'

interface MenuProps {
  /** What stands on the button. */
  label: ReactNode
  /** Its name for screen readers, where the visible label alone says too little: "Organisation: Nordvik AB". */
  name?: string | undefined
  icon?: LucideIcon | undefined
  align?: 'start' | 'end' | undefined
  /** Marks that the current page is one of this menu's. */
  current?: boolean | undefined
  children: ReactNode
}

/** A button with a menu below it. Not modal: the page stays scrollable and nothing jumps. */
export function Menu({ label, name, icon, align = 'start', current, children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger className={styles.trigger} aria-label={name} data-current={current || undefined}>
        {icon && <Icon of={icon} />}
        <span className={styles.label}>{label}</span>
        <Icon of={ChevronDown} />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={6} align={align} collisionPadding={8}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  icon?: LucideIcon | undefined
  tone?: 'danger' | undefined
  disabled?: boolean | undefined
  onClick: () => void
  children: ReactNode
}

export function MenuItem({ icon, tone, disabled = false, onClick, children }: MenuItemProps) {
  return (
    <Base.Item className={styles.item} data-tone={tone} disabled={disabled} onClick={onClick}>
      {icon && <Icon of={icon} />}
      <span className={styles.text}>{children}</span>
    </Base.Item>
  )
}

interface MenuLinkProps {
  icon?: LucideIcon | undefined
  /** An `<a href>` or a router's link; it gets the look, the role and the keyboard. */
  link: ReactElement<ComponentProps<'a'>>
  children: ReactNode
}

export function MenuLink({ icon, link, children }: MenuLinkProps) {
  return (
    <Base.LinkItem className={styles.item} render={link} closeOnClick>
      {icon && <Icon of={icon} />}
      <span className={styles.text}>{children}</span>
    </Base.LinkItem>
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
  return (
    <Base.Group>
      <Base.GroupLabel className={styles.groupLabel}>{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            className={styles.item}
            lang={option.lang}
            closeOnClick
          >
            <span className={styles.text}>{option.label}</span>
            <Base.RadioItemIndicator className={styles.tick}>
              <Icon of={Check} />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />
}
