import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import styles from './icon-button.module.css'

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  icon: LucideIcon
  /** What it does and to what: "Close", "Add user to Nordvik AB". */
  label: string
}

interface IconLinkProps extends Omit<ComponentProps<'a'>, 'children' | 'aria-label'> {
  icon: LucideIcon
  label: string
}

export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" aria-label={label} title={label} {...rest} className={classes(styles.button, className)}>
      <Icon of={icon} size={20} />
    </button>
  )
}

/** A link that looks like one. Takes a router through `createLink(IconLink)`. */
export function IconLink({ icon, label, className, ...rest }: IconLinkProps) {
  return (
    <a title={label} {...rest} className={classes(styles.button, className)}>
      <Icon of={icon} size={20} />
      <span className="vh">{label}</span>
    </a>
  )
}
