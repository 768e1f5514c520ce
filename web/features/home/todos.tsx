import { createLink } from '@tanstack/react-router'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import CircleCheck from 'lucide-react/icons/circle-check'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HomeAnswer } from '#contract/home/home.ts'
import { Loaded, type Question } from '#web/lib/requests/loaded.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/frame/page.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import styles from './home.module.css'
import sections from './section.module.css'
import { type Todo, useTodoList } from './use-todo-list.tsx'

interface TodosProps {
  found: Question<HomeAnswer>
  /** Undefined: the whole portal. */
  organizationId: string | undefined
}

/** What needs doing, each with the way to the place where it is done. */
export function Todos({ found, organizationId }: TodosProps) {
  const { t } = useTranslation()
  return (
    <section className={sections.section} aria-labelledby="todos">
      <div className={styles.title}>
        <h2 id="todos">{t('todoTitle')}</h2>
        {organizationId === undefined && <Badge>{t('wholePortal')}</Badge>}
      </div>
      <Loaded query={found} skeleton={<Skeleton shape="card" />}>
        {({ todos }) => <TodoList todos={todos} organizationId={organizationId} />}
      </Loaded>
    </section>
  )
}

function TodoList({ todos, organizationId }: Pick<TodosProps, 'organizationId'> & Pick<HomeAnswer, 'todos'>) {
  const { t } = useTranslation()
  const list = useTodoList(todos, organizationId)
  return (
    <Card flush>
      {list.length > 0 ? (
        <ul>
          {list.map((todo) => (
            <TodoRow key={todo.key} todo={todo} />
          ))}
        </ul>
      ) : (
        <div className={styles.todo}>
          <span className={styles.tile} data-tone="ok">
            <Icon of={CircleCheck} size={20} />
          </span>
          <p className={styles.text}>{t('todoNothing')}</p>
        </div>
      )}
    </Card>
  )
}

const TodoLink = createLink('a')

function TodoRow({ todo }: { todo: Todo }) {
  const { text, link, content } = todo
  const [open, setOpen] = useState(false)
  if (content)
    return (
      <li>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className={styles.todo}>
            <What todo={todo}>
              <span className={styles.what}>{text}</span>
            </What>
            <Icon of={ChevronDown} size={20} />
          </summary>
          {open && content}
        </details>
      </li>
    )
  return (
    <li className={styles.todo}>
      <What todo={todo}>
        {link ? (
          <TodoLink className={styles.link} {...link}>
            {text}
          </TodoLink>
        ) : (
          <span className={styles.what}>{text}</span>
        )}
      </What>
      {link && <Icon of={ChevronRight} size={20} />}
    </li>
  )
}

function What({ todo: { icon, tone, hint }, children }: { todo: Todo; children: ReactNode }) {
  return (
    <>
      <span className={styles.tile} data-tone={tone}>
        <Icon of={icon} size={20} />
      </span>
      <span className={styles.text}>
        {children}
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </>
  )
}
