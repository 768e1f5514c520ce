import { join } from 'node:path'
import { ssnProblem } from '#contract/fields/ssn-rules.ts'
import type { PhoneApp } from '#server/bankid/phone-app.ts'
import type { Orders } from './orders.ts'
import { orderPage, waitingPage } from './phone-app-pages.ts'
import { type Note, notes, type PhoneLanguage } from './phone-app-texts.ts'
import type { SimulatedPerson } from './progress.ts'
import { isScenario } from './scenarios.ts'

interface PhoneAppOptions {
  orders: Orders
  /** The people who can be selected by name. */
  people: readonly SimulatedPerson[]
  /** The path of the app. */
  path: string
}

/** The simulated phone app: plain pages for people and tests. */
export function createPhoneApp({ orders, people, path }: PhoneAppOptions): PhoneApp {
  const address = (query: Record<string, string | undefined>) => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
  }
  const opened = (order: { id: string } | undefined, lang: string | undefined) =>
    address(order ? { order: order.id, lang } : { note: 'gone', lang })
  const personOf = ({ person, otherNumber }: { person?: string | undefined; otherNumber?: string | undefined }) => {
    const number = otherNumber?.replaceAll(/[\s-]/g, '') || person || ''
    if (!isTestNumber(number)) return undefined
    const known = people.find(({ personalNumber }) => personalNumber === number)
    return known ?? { personalNumber: number, givenName: 'Åke', surname: 'Öberg' }
  }

  return {
    path,
    styles: ['../card.css', 'phone-app.css'].map((name) => join(import.meta.dirname, name)),
    script: join(import.meta.dirname, 'phone-app.js'),
    waiting: () =>
      orders.waiting().map(({ id, text, startedAt }) => ({ id, text, at: new Date(startedAt).toISOString() })),
    show({ order: id, autostarttoken, note, lang }, preferred) {
      if (autostarttoken !== undefined) return { goTo: opened(orders.autostart(autostarttoken), lang) }
      const language: PhoneLanguage = (lang ?? preferred) === 'sv' ? 'sv' : 'en'
      const order = id === undefined ? undefined : orders.opened(id)
      if (id !== undefined && !order) return { goTo: opened(undefined, lang) }
      const view = { language, path, note: notes.find((one): one is Note => one === note), lang }
      return {
        html: order ? orderPage(order, people, { ...view, order: order.id }) : waitingPage(orders.waiting(), view),
      }
    },
    act({ action, order: id = '', qrData, scenario = 'ok', lang, ...chosen }) {
      switch (action) {
        case 'pick':
          return opened(orders.pick(id), lang)
        case 'scan':
          return opened(orders.scan(qrData ?? ''), lang)
        case 'identify': {
          const person = personOf(chosen)
          if (!person) return address({ order: id, note: 'wrongNumber', lang })
          const done = orders.identify(id, person, isScenario(scenario) ? scenario : 'ok')
          return done?.goTo ?? address({ note: done ? 'done' : 'gone', lang })
        }
        case 'cancel':
          return address({ note: orders.fail(id, 'userCancel') ? 'cancelled' : 'gone', lang })
        default:
          return address({ lang })
      }
    },
  }
}

/** True for numbers from the tax agency's test series: serials 238 and 239, and a few well-known ones. */
const isTestNumber = (number: string) =>
  ['191212121212', '201701102384'].includes(number) ||
  (ssnProblem(number) === undefined && /^[0-9]{8}23[89][0-9]$/.test(number))
