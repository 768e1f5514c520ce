import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import type { LucideIcon } from 'lucide-react'
import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { IconButton } from '../icon-button.tsx'
import styles from './command-list.module.css'

export interface Command {
  id: string
  label: string
  /** Quieter, beside it: an address, or what kind of choice it is. */
  hint?: string | undefined
  icon: LucideIcon
  lang?: string | undefined
}

export interface CommandGroup<Item extends Command> {
  label: string
  items: readonly Item[]
}

interface CommandListProps<Item extends Command> {
  label: string
  placeholder: string
  closeLabel: string
  text: string
  onText: (text: string) => void
  /** From here on the box takes what is typed. */
  onFocus: () => void
  /** In their order, already narrowed down to what was typed; none of them empty. */
  groups: readonly CommandGroup<Item>[]
  onChoose: (item: Item) => void
  /** Instead of a list without entries. */
  emptyText: string
  busy: boolean
  /** Below the list: what could not be had. */
  failure?: ReactNode
  /** Which keys do what; screen readers say so themselves. */
  legend: readonly { keys: string; text: string }[]
  /** Announced to screen readers whenever it changes. */
  announcement: string
}

/** Typing narrows the list, arrow keys move in it, Enter chooses. Goes into a `CommandDialog`. */
export function CommandList<Item extends Command>(props: CommandListProps<Item>) {
  const { label, placeholder, closeLabel, text, onText, onFocus, groups, onChoose, emptyText, busy, failure, legend } =
    props
  return (
    <Autocomplete.Root
      open
      inline
      autoHighlight="always"
      keepHighlight
      filter={null}
      items={groups}
      value={text}
      // Choosing would put the entry's name into the box.
      onValueChange={(next, { reason }) => reason !== 'item-press' && onText(next)}
      itemToStringValue={(item: Item) => item.label}
    >
      <div className={styles.head}>
        <Icon of={Search} size={20} />
        <Autocomplete.Input
          className={styles.input}
          aria-label={label}
          placeholder={placeholder}
          enterKeyHint="go"
          autoCapitalize="off"
          spellCheck={false}
          onFocus={onFocus}
        />
        <Dialog.Close render={<IconButton icon={X} label={closeLabel} />} />
      </div>
      <p className="vh" role="status">
        {props.announcement}
      </p>
      <Autocomplete.List className={styles.list} aria-label={label} aria-busy={busy}>
        {(group: CommandGroup<Item>) => (
          <Autocomplete.Group key={group.label} items={group.items}>
            <Autocomplete.GroupLabel className={styles.groupLabel}>{group.label}</Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: Item) => (
                <Autocomplete.Item key={item.id} value={item} className={styles.item} onClick={() => onChoose(item)}>
                  <Icon of={item.icon} />
                  <span className={styles.text} lang={item.lang}>
                    {item.label}
                  </span>
                  {item.hint && <span className={styles.hint}>{item.hint}</span>}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      {groups.length === 0 && <p className={styles.empty}>{emptyText}</p>}
      {failure && <div className={styles.failure}>{failure}</div>}
      <p className={styles.legend} aria-hidden="true">
        {legend.map(({ keys, text }) => (
          <span key={keys}>
            <kbd>{keys}</kbd>
            {text}
          </span>
        ))}
      </p>
    </Autocomplete.Root>
  )
}
