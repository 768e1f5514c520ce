import type { MessageKey } from '#contract/message-key.ts'
import swedish from '../locales/sv/translation.json' with { type: 'json' }

/** A Swedish text by its key, with its values filled in; the tests run in Swedish. */
export const t = (key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string =>
  swedish[key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))

/** The title of the window on a page with this heading. */
export const titled = (heading: string): string => `${heading} – ${t('productName')}`
