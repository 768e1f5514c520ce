import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type Ref, useId } from 'react'
import alert from '../alert.module.css'
import { Icon } from '../icon.tsx'
import styles from './form-error.module.css'

interface FormErrorProps {
  /** "There are 2 things to correct". */
  title: string
  /** The fields in the order of the form; `id` is the field's. */
  errors: readonly { id: string; message: string }[]
  /** Runs before the focus goes to a field. */
  onFollow?: ((id: string) => void) | undefined
  /** Focus it when a submit finds two or more errors; with one error, focus the field instead. */
  ref?: Ref<HTMLDivElement> | undefined
}

/** What to correct, at the top of a form, with a link to each field. */
export function FormError({ title, errors, onFollow, ref }: FormErrorProps) {
  const titleId = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would group controls; this groups links to them
    <div ref={ref} role="group" aria-labelledby={titleId} tabIndex={-1} className={alert.alert} data-tone="danger">
      <Icon of={CircleAlert} size={20} />
      <div className={alert.body}>
        <p className={alert.title} id={titleId}>
          {title}
        </p>
        <ul className={styles.list}>
          {errors.map(({ id, message }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                onClick={(event) => {
                  event.preventDefault()
                  onFollow?.(id)
                  document.getElementById(id)?.focus()
                }}
              >
                {message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
