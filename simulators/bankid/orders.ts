import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { planOf, type Scenario, scenarios } from './scenarios.ts'

/** Somebody with a BankID. */
export interface SimulatedPerson {
  personalNumber: string
  givenName: string
  surname: string
}

/** What `/auth` was asked. */
export interface AuthRequest {
  endUserIp: string
  /** What the app shows, already decoded. */
  text: string | null
  returnRisk: boolean
  /** Where an app that was opened on the device of the browser leads in the end. */
  returnUrl?: string | undefined
}

export interface Order extends AuthRequest {
  /** For the phone app: knowing it lets nobody collect. */
  id: string
  orderRef: string
  autoStartToken: string
  qrStartToken: string
  qrStartSecret: string
  /** Milliseconds. */
  startedAt: number
  /** When and how the app was opened. */
  opened?: { at: number; by: 'qr' | 'autostart' }
  /** Who chose to identify in it, and how that goes on. */
  signed?: { at: number; person: SimulatedPerson; scenario: Scenario }
  failure?: string
  /** Collects that do not succeed, before the next one that does. */
  troubles: Trouble[]
}

/** What can be wrong with an answer of the API: its status, that there is none, or that the connection ends. */
export interface Trouble {
  status: 400 | 401 | 408 | 429 | 500 | 503 | 'silence' | 'cut'
  errorCode?: string
}

export type Progress =
  | { status: 'pending' | 'failed'; hintCode: string }
  | { status: 'complete'; person: SimulatedPerson; risk: 'low' | 'high' }

/** Milliseconds without an app, and altogether. */
const toStart = 30_000
const toLive = 180_000
/** Whole seconds that a QR code may be old: a camera needs a moment, and whoever pastes it another. */
const codeLasts = 10

/** The orders of the simulator and what may be done with them, by the relying party and by the phone. */
export type Orders = ReturnType<typeof createOrders>

export function createOrders(clock: () => Date) {
  const open = new Map<string, Order>()
  const now = () => clock().getTime()
  const find = (matches: (order: Order) => boolean) => [...open.values()].find(matches)

  function progressOf(order: Order): Progress {
    const age = now() - order.startedAt
    if (order.failure) return { status: 'failed', hintCode: order.failure }
    if (!order.opened)
      return age < toStart
        ? { status: 'pending', hintCode: 'outstandingTransaction' }
        : { status: 'failed', hintCode: 'startFailed' }
    if (order.signed) return planOf({ ...order.signed, elapsed: now() - order.signed.at })
    if (age >= toLive) return { status: 'failed', hintCode: 'expiredTransaction' }
    return { status: 'pending', hintCode: order.opened.by === 'qr' ? 'userSign' : 'started' }
  }
  const isWaiting = (order: Order) => !order.opened && progressOf(order).status === 'pending'
  const isOpen = (order: Order) => order.opened && !order.signed && progressOf(order).status === 'pending'

  function openApp(order: Order | undefined, by: 'qr' | 'autostart'): Order | undefined {
    if (!order || !isWaiting(order)) return undefined
    order.opened = { at: now(), by }
    return order
  }

  return {
    progressOf,
    begin(request: AuthRequest): Order {
      const order: Order = {
        id: randomUUID(),
        orderRef: randomUUID(),
        autoStartToken: randomUUID(),
        qrStartToken: randomUUID(),
        qrStartSecret: randomUUID(),
        startedAt: now(),
        troubles: [],
        ...request,
      }
      open.set(order.orderRef, order)
      return order
    },
    /** A final result is there once. */
    collect(orderRef: string): { trouble: Trouble } | { order: Order; progress: Progress } | undefined {
      const order = open.get(orderRef)
      if (!order) return undefined
      const trouble = order.troubles.shift()
      if (trouble) return { trouble }
      const progress = progressOf(order)
      if (progress.status !== 'pending') open.delete(orderRef)
      return { order, progress }
    },
    /** @returns whether there was something to cancel */
    cancel(orderRef: string): boolean {
      const order = open.get(orderRef)
      return order !== undefined && progressOf(order).status === 'pending' && open.delete(orderRef)
    },

    /** Orders that wait for an app, the newest first. */
    waiting: () => [...open.values()].filter(isWaiting).reverse(),
    /** An order that an app has open. */
    opened: (id: string) => find((order) => order.id === id && isOpen(order) === true),
    /** The camera reads a QR code. Undefined when it is none of ours, forged, or too old. */
    scan(qrData: string): Order | undefined {
      const [name, token, time = '', code = '', ...rest] = qrData.trim().split('.')
      const order = find(({ qrStartToken }) => qrStartToken === token)
      if (name !== 'bankid' || !order || rest.length > 0 || !/^[0-9]{1,4}$/.test(time)) return undefined
      const expected = createHmac('sha256', order.qrStartSecret).update(time).digest('hex')
      const genuine = expected.length === code.length && timingSafeEqual(Buffer.from(expected), Buffer.from(code))
      const age = Math.floor((now() - order.startedAt) / 1000) - Number(time)
      return genuine && age >= 0 && age <= codeLasts ? openApp(order, 'qr') : undefined
    },
    /** The same without a camera: the person picks the order, and the phone sees what stands in its code now. */
    pick(id: string) {
      const order = find((one) => one.id === id)
      return openApp(order, order?.returnUrl ? 'autostart' : 'qr')
    },
    autostart: (token: string) =>
      openApp(
        find(({ autoStartToken }) => autoStartToken === token),
        'autostart',
      ),
    /**
     * The person types the security code, and the scenario takes its course.
     *
     * @returns where the app leads then, if anywhere; undefined when nothing was open
     */
    identify(id: string, person: SimulatedPerson, scenario: Scenario = 'ok'): { goTo: string | undefined } | undefined {
      const order = find((one) => one.id === id && isOpen(one) === true)
      if (!order) return undefined
      order.signed = { at: now(), person, scenario }
      order.troubles.push(...(scenarios[scenario].troubles ?? []))
      return { goTo: order.opened?.by === 'autostart' ? order.returnUrl : undefined }
    },
    /** The person closes the order in the app, or something else ends it. */
    fail(id: string, hintCode = 'userCancel'): boolean {
      const order = find((one) => one.id === id && progressOf(one).status === 'pending')
      if (order) order.failure = hintCode
      return order !== undefined
    },
    /** The next collects of an order go wrong. */
    trouble: (id: string, ...troubles: Trouble[]) => void find((one) => one.id === id)?.troubles.push(...troubles),
  }
}

/** Something that looks like a signature. */
export const madeUpSignature = () => randomBytes(48).toString('base64')
