import styles from './skeleton.module.css'

interface SkeletonProps {
  /** The final form of what is loading, so that nothing jumps when it arrives. */
  shape?: 'text' | 'title' | 'control' | 'row' | 'card' | 'tile' | undefined
  count?: number | undefined
  /** Part of the full width that a text line takes. */
  width?: 'short' | 'half' | 'full' | undefined
}

/** Grey stand-ins. Silent: put `SkeletonGroup` around them, which says once that something loads. */
export function Skeleton({ shape = 'text', count = 1, width = 'full' }: SkeletonProps) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing but their place
    <span key={index} className={styles.skeleton} data-shape={shape} data-width={width} aria-hidden="true" />
  ))
}

export function SkeletonGroup({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={styles.group} role="status" aria-busy="true">
      <span className="vh">{label}</span>
      {children}
    </div>
  )
}
