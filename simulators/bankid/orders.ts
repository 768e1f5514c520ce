import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Progress, SimulatedPerson, Trouble } from './progress.ts'
import { planOf, type Scenario, scenarios } from './scenarios.ts'

/** The parameters of `/auth`. */
export interface AuthRequest {
  endUserIp: string
  /** The text that the app shows, decoded. */
  text: string | null
  returnRisk: boolean
  /** The address that an app on the same device opens when it is done. */
  returnUrl?: string | undefined
}

export interface Order extends AuthRequest {
  /** The id in the phone app; it cannot be used to collect. */
  id: string
  orderRef: string
  autoStartToken: string
  qrStartToken: string
  qrStartSecret: string
  /** Milliseconds. */
  startedAt: number
  /** When and how the app was opened. */
  opened?: { at: number; by: 'qr' | 'autostart' }
  /** The person who identified, when, and the chosen scenario. */
  signed?: { at: number; person: SimulatedPerson; scenario: Scenario }
  failure?: string
  /** Failures of the next collects. */
  troubles: Trouble[]
}

/** Milliseconds that an order lives without an app, and in total. */
const maxUnopened = 30_000
const maxAge = 180_000
/** The maximum age of a QR code in seconds, with time to scan or paste it. */
const codeLifetime = 10

/** The orders of the simulator, with the operations of the relying party and of the phone. */
export type Orders = ReturnType<typeof createOrders>

export function createOrders(clock: () => Date) {
  const open = new Map<string, Order>()
  const now = () => clock().getTime()
  const find = (matches: (order: Order) => boolean) => [...open.values()].find(matches)

  function progressOf(order: Order): Progress {
    const age = now() - order.startedAt
    if (order.failure) return { status: 'failed', hintCode: order.failure }
    if (!order.opened)
      return age < maxUnopened
        ? { status: 'pending', hintCode: 'outstandingTransaction' }
        : { status: 'failed', hintCode: 'startFailed' }
    if (order.signed) return planOf({ ...order.signed, elapsed: now() - order.signed.at })
    if (age >= maxAge) return { status: 'failed', hintCode: 'expiredTransaction' }
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

    /** Orders that no app has opened, newest first. */
    waiting: () => [...open.values()].filter(isWaiting).reverse(),
    /** An order that an app has open. */
    opened: (id: string) => find((order) => order.id === id && isOpen(order) === true),
    /** Scans a QR code. Undefined if it is unknown, forged or too old. */
    scan(qrData: string): Order | undefined {
      const [name, token, time = '', code = '', ...rest] = qrData.trim().split('.')
      const order = find(({ qrStartToken }) => qrStartToken === token)
      if (name !== 'bankid' || !order || rest.length > 0 || !/^[0-9]{1,4}$/.test(time)) return undefined
      const expected = createHmac('sha256', order.qrStartSecret).update(time).digest('hex')
      const genuine = expected.length === code.length && timingSafeEqual(Buffer.from(expected), Buffer.from(code))
      const age = Math.floor((now() - order.startedAt) / 1000) - Number(time)
      return genuine && age >= 0 && age <= codeLifetime ? openApp(order, 'qr') : undefined
    },
    /** The same without a camera: the person picks an order from a list. */
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
     * The person types the security code, and the scenario runs.
     *
     * @returns the address that the app opens next, if any; undefined if no order was open
     */
    identify(id: string, person: SimulatedPerson, scenario: Scenario = 'ok'): { goTo: string | undefined } | undefined {
      const order = find((one) => one.id === id && isOpen(one) === true)
      if (!order) return undefined
      order.signed = { at: now(), person, scenario }
      order.troubles.push(...(scenarios[scenario].troubles ?? []))
      return { goTo: order.opened?.by === 'autostart' ? order.returnUrl : undefined }
    },
    /** Ends an order with a failure, by default because the person cancelled it in the app. */
    fail(id: string, hintCode = 'userCancel'): boolean {
      const order = find((one) => one.id === id && progressOf(one).status === 'pending')
      if (order) order.failure = hintCode
      return order !== undefined
    },
    /** Makes the next collects of an order fail. */
    trouble: (id: string, ...troubles: Trouble[]) => void find((one) => one.id === id)?.troubles.push(...troubles),
  }
}

/** A random value in place of a signature. */
export const madeUpSignature = () => randomBytes(48).toString('base64')
