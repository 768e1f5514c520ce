import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, MouseEvent } from 'react'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { SpinnerRing } from './spinner.tsx'
import { useDelayedBusy } from './use-delayed-busy.ts'

export interface ButtonLook {
  /** One primary per view; `danger` does something that cannot be undone, `risky` leads to the question before it. */
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'risky' | undefined
  size?: 'medium' | 'small' | undefined
  icon?: LucideIcon | undefined
  /** Full width everywhere; `mobile` only on small screens. */
  full?: boolean | 'mobile' | undefined
}

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Keeps the label and the width, and ignores further clicks. The button stays focusable. */
  loading?: boolean | undefined
}

export function Button({ variant, size, icon, full, loading = false, children, ...rest }: ButtonProps) {
  const spinning = useDelayedBusy(loading)
  const ignoreWhileLoading = (event: MouseEvent<HTMLButtonElement>) => {
    // Preventing the click also prevents the submit, by mouse and by Enter alike.
    if (loading) return event.preventDefault()
    rest.onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      {...look({ variant, size, full, className: rest.className })}
      data-spinning={spinning || undefined}
      aria-busy={loading || undefined}
      aria-disabled={loading || rest['aria-disabled'] || undefined}
      onClick={ignoreWhileLoading}
    >
      {spinning && (
        <span className={styles.spinner}>
          <SpinnerRing />
        </span>
      )}
      <Content icon={icon}>{children}</Content>
    </button>
  )
}

/** A link that looks like a button. Takes a router through `createLink(LinkButton)`. */
export function LinkButton({ variant, size, icon, full, children, ...rest }: ComponentProps<'a'> & ButtonLook) {
  return (
    <a {...rest} {...look({ variant, size, full, className: rest.className })}>
      <Content icon={icon}>{children}</Content>
    </a>
  )
}

function look({
  variant = 'secondary',
  size = 'medium',
  full,
  className,
}: ButtonLook & { className?: string | undefined }) {
  return {
    className: classes(styles.button, className),
    'data-variant': variant,
    'data-size': size,
    'data-full': full || undefined,
  }
}

function Content({ icon, children }: Pick<ComponentProps<'button'>, 'children'> & Pick<ButtonLook, 'icon'>) {
  return (
    <span className={styles.content}>
      {icon && <Icon of={icon} />}
      <span className={styles.label}>{children}</span>
    </span>
  )
}
