import X from 'lucide-react/icons/x'
import styles from './chip.module.css'
import { Icon } from './icon.tsx'

interface ChipProps {
  /** What was chosen: "Status: Invited". */
  children: string
  /** What a click does: "Remove the filter Status: Invited". */
  removeLabel: string
  onRemove: () => void
}

/** An active choice; a click removes it. */
export function Chip({ children, removeLabel, onRemove }: ChipProps) {
  return (
    <button type="button" className={styles.chip} aria-label={removeLabel} title={removeLabel} onClick={onRemove}>
      <span className={styles.text}>{children}</span>
      <Icon of={X} />
    </button>
  )
}
