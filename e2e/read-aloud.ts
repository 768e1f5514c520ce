import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import type { MessageKey } from '#contract/message-key.ts'
import english from '../locales/en/translation.json' with { type: 'json' }
import swedish from '../locales/sv/translation.json' with { type: 'json' }
import { type Rules, violationsOn } from './violations.ts'

export type Language = 'sv' | 'en'
export const catalogs: Record<Language, Record<MessageKey, string>> = { sv: swedish, en: english }

/** What a screen reader says of one thing. */
export interface Spoken {
  role: string
  name: string
  description: string
  /** Of a heading. */
  level: number
  /** Such as "invalid" or "expanded=false". */
  states: string[]
}

interface Value {
  value?: unknown
}
interface TreeNode {
  nodeId: string
  ignored: boolean
  role?: Value
  name?: Value
  description?: Value
  properties?: { name: string; value: Value }[]
  childIds?: string[]
}

/** What has no words of its own, or repeats those of what is around it. */
const silent = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak', 'RootWebArea', 'ListMarker', 'LabelText'])
/** Their name is what is in them, so that its text is not read a second time. */
const namedByContent = new Set([
  'link',
  'button',
  'heading',
  'tab',
  'menuitem',
  'menuitemradio',
  'option',
  'radio',
  'switch',
])
const operated = new Set([
  ...['link', 'button', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'switch', 'tab', 'menuitem'],
  ...['menuitemradio', 'option', 'spinbutton', 'slider', 'listbox'],
])
const named = new Set([
  ...operated,
  'heading',
  'image',
  'img',
  'dialog',
  'alertdialog',
  'table',
  'region',
  'navigation',
])
const said = new Set([
  'invalid',
  'required',
  'expanded',
  'checked',
  'selected',
  'pressed',
  'disabled',
  'readonly',
  'modal',
])

/** Everything that the accessibility tree holds, in the order in which a screen reader reads it. */
async function treeOf(session: CDPSession): Promise<Spoken[]> {
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: TreeNode[] }
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const spoken: Spoken[] = []
  const walk = (node: TreeNode | undefined, insideName: boolean): void => {
    if (!node) return
    const role = String(node.role?.value ?? 'none')
    const properties = new Map((node.properties ?? []).map(({ name, value }) => [name, value.value]))
    const repeats = insideName && (role === 'StaticText' || role === 'image')
    if (!node.ignored && !silent.has(role) && !repeats)
      spoken.push({
        role: role === 'StaticText' ? 'text' : role,
        name: String(node.name?.value ?? '').trim(),
        // A tooltip that repeats the name is not said twice.
        description: node.description?.value === node.name?.value ? '' : String(node.description?.value ?? '').trim(),
        level: Number(properties.get('level') ?? 0),
        states: [...properties].flatMap(([name, value]) =>
          said.has(name) && value !== false && value !== 'false'
            ? [value === true || value === 'true' ? name : `${name}=${value}`]
            : ['expanded', 'checked', 'pressed'].includes(name)
              ? [`${name}=${value}`]
              : [],
        ),
      })
    const inside = insideName || (!node.ignored && namedByContent.has(role))
    for (const id of node.childIds ?? []) walk(byId.get(id), inside)
  }
  walk(nodes[0], false)
  return spoken.filter(({ role, name }) => name || role !== 'text')
}

const lineOf = ({ role, name, description, level, states }: Spoken): string =>
  [
    `${role}${level ? ` ${level}` : ''}`,
    ...(name ? [JSON.stringify(name)] : []),
    ...(states.length ? [`(${states.join(', ')})`] : []),
    ...(description ? [`– ${description}`] : []),
  ].join(' ')

/** Names that the demo gives to its services and categories: Swedish in every language. */
const ofTheDemo = new Set(['Arkiv', 'Bokning', 'Ekonomi', 'Journal', 'Resor', 'Statistik', 'Utbildning'])
/** Texts that stand in one language alone, so that one of them on a page in the other language is a text left behind. */
const foreignTo = (language: Language): Set<string> => {
  const own = new Set(Object.values(catalogs[language]))
  const other = Object.values(catalogs[language === 'sv' ? 'en' : 'sv'])
  return new Set(
    other.filter((text) => text.length > 3 && !text.includes('{{') && !own.has(text) && !ofTheDemo.has(text)),
  )
}

/** What a listener would stumble over. */
function faultsOf(
  spoken: Spoken[],
  { title, lang, language }: { title: string; lang: string; language: Language },
): string[] {
  const faults: string[] = []
  if (lang !== language) faults.push(`the page says that it is in ${lang || 'no language'}`)
  if (!/\S.* – \S/.test(title)) faults.push(`the title says no page: ${JSON.stringify(title)}`)
  const inDialog = spoken.some(({ role }) => role === 'dialog' || role === 'alertdialog')
  const headings = spoken.filter(({ role }) => role === 'heading')
  if (!inDialog) {
    if (headings.filter(({ level }) => level === 1).length !== 1) faults.push('there is not exactly one heading 1')
    if (spoken.filter(({ role }) => role === 'main').length !== 1) faults.push('there is not exactly one main part')
    headings.forEach(({ level, name }, index) => {
      if (index > 0 && level > (headings[index - 1]?.level ?? 0) + 1) faults.push(`“${name}” skips a level of headings`)
    })
  }
  const foreign = foreignTo(language)
  for (const one of spoken) {
    if (!one.name && named.has(one.role)) faults.push(`a ${one.role} without a name`)
    for (const words of [one.name, one.description]) {
      if (/\{\{|\bundefined\b|\bnull\b|\[object/.test(words)) faults.push(`broken words: ${lineOf(one)}`)
      if (foreign.has(words)) faults.push(`in the other language: ${lineOf(one)}`)
    }
    if (one.states.some((state) => state.startsWith('invalid')) && !one.description)
      faults.push(`wrong, but not why: ${lineOf(one)}`)
  }
  return faults
}

/** Elements that hide a part of their text, by a path that stays the same when styles change. */
const cutOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const pathOf = (element: Element): string => {
      const at = [...(element.parentElement?.children ?? [])].indexOf(element)
      return `${element.parentElement ? pathOf(element.parentElement) : ''}/${element.localName}${at}`
    }
    return [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => {
        const { overflowX, overflowY, clipPath, textOverflow } = getComputedStyle(element)
        if (!element.innerText?.trim() || clipPath !== 'none' || element.clientWidth < 2) return false
        // A name that ends in three dots stands whole where its row leads.
        if (textOverflow === 'ellipsis') return false
        const hidden = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
        return (
          (hidden(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (hidden(overflowY) && element.scrollHeight > element.clientHeight + 1)
        )
      })
      .map((element) => `${pathOf(element)} “${element.innerText.slice(0, 40)}”`)
  })

/** What is cut off with the text spacing that a reader may set (WCAG 1.4.12), and not without it. */
async function cutBySpacing(page: Page): Promise<string[]> {
  const before = new Set(await cutOn(page))
  await page.evaluate(() => {
    const spacing = new CSSStyleSheet()
    spacing.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-block-end: 2em !important }',
    )
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, spacing]
  })
  const cut = (await cutOn(page)).filter((one) => !before.has(one))
  const sideways = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  await page.evaluate(() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1)
  })
  return [...cut.map((one) => `cut off with wider spacing: ${one}`), ...(sideways ? ['wider than the window'] : [])]
}

const labelInName: Rules = { runOnly: { type: 'rule', values: ['label-content-name-mismatch'] } }

export interface Reader {
  /** A text in the language of this journey. */
  t: (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string
  /** Reads the whole screen, under this title. @returns its lines */
  screen: (title: string) => Promise<string[]>
  /** What live regions have said since the page was opened, or the last call. */
  announced: () => string[]
  /** What a listener would stumble over, of all screens. */
  faults: string[]
  /** Writes everything into a file. */
  write: (file: string) => void
}

/** Listens to this page from its next document on. */
export async function readerOf(page: Page, language: Language): Promise<Reader> {
  const session = await page.context().newCDPSession(page)
  const transcript: string[] = []
  const faults: string[] = []
  let fresh: string[] = []
  await page.exposeFunction('announce', (text: string) => {
    if (text && fresh.at(-1) !== text) fresh.push(text)
  })
  await page.addInitScript(() => {
    const live = '[aria-live=polite], [aria-live=assertive], [role=status], [role=alert], [role=log], output'
    const say = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      const region = element?.closest(live)
      const text = region?.textContent?.replaceAll(/\s+/g, ' ').trim()
      if (text) (window as unknown as { announce(text: string): void }).announce(text)
    }
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        say(target)
        for (const added of addedNodes) if (added instanceof Element) say(added.querySelector(live) ?? added)
      }
    }).observe(document, { subtree: true, childList: true, characterData: true })
  })
  return {
    t: (key, values = {}) =>
      catalogs[language][key].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? '')),
    screen: async (title) => {
      const spoken = await treeOf(session)
      const document = await page.evaluate(() => ({
        title: window.document.title,
        lang: window.document.documentElement.lang,
      }))
      const found = [
        ...faultsOf(spoken, { ...document, language }),
        ...(await cutBySpacing(page)),
        ...(await violationsOn(page, labelInName)).map((violation) => JSON.stringify(violation)),
      ]
      faults.push(...found.map((fault) => `${title}: ${fault}`))
      const lines = spoken.map(lineOf)
      transcript.push('', `## ${title} · ${document.title}`, ...lines)
      return lines
    },
    announced: () => {
      const now = fresh
      fresh = []
      transcript.push(...now.map((text) => `» ${text}`))
      return now
    },
    faults,
    write: (file) => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${transcript.join('\n').trim()}\n`)
    },
  }
}
