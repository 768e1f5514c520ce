import Mail from 'lucide-react/icons/mail'
import Phone from 'lucide-react/icons/phone'
import { Icon } from '../icon.tsx'
import styles from './contact-footer.module.css'

interface ContactFooterProps {
  heading: string
  text: string
  email?: { text: string; address: string } | undefined
  phone?: { text: string; number: string } | undefined
  /** Pages about the portal. */
  links?: readonly { text: string; href: string }[]
}

/** The company that runs the portal and how to reach its support, at the foot of every page. */
export function ContactFooter({ heading, text, email, phone, links = [] }: ContactFooterProps) {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>
          <span className={styles.heading}>{heading}</span> <span>{text}</span>
        </p>
        <ul className={styles.ways}>
          {email && (
            <li>
              <a href={`mailto:${email.address}`}>
                <Icon of={Mail} />
                {email.text}
              </a>
            </li>
          )}
          {phone && (
            <li>
              <a href={`tel:${phone.number.replace(/[\s()./-]/g, '')}`}>
                <Icon of={Phone} />
                {phone.text}
              </a>
            </li>
          )}
          {links.map(({ text, href }) => (
            <li key={text}>
              <a href={href}>{text}</a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  )
}
