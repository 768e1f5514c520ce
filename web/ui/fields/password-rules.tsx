import Check from 'lucide-react/icons/check'
import Circle from 'lucide-react/icons/circle'
import { Icon } from '../icon.tsx'
import styles from './password-rules.module.css'

interface PasswordRulesProps {
  /** "The password needs". */
  title: string
  rules: readonly { text: string; met: boolean }[]
  /** "fulfilled" and "missing", read after each rule, since the sign beside it is not. */
  metText: string
  missingText: string
  /** Announced politely when it changes: "3 of 5 fulfilled". */
  summary: string
  id?: string | undefined
}

/** What a password needs, ticked off while it is typed. */
export function PasswordRules({ title, rules, metText, missingText, summary, id }: PasswordRulesProps) {
  return (
    <div className={styles.rules} id={id}>
      <p className={styles.title}>{title}</p>
      <ul>
        {rules.map(({ text, met }) => (
          <li key={text} className={styles.rule} data-met={met || undefined}>
            <Icon of={met ? Check : Circle} />
            <span>
              {text}
              <span className="vh">, {met ? metText : missingText}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="vh" aria-live="polite">
        {summary}
      </p>
    </div>
  )
}
