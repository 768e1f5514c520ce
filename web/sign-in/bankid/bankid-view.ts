import type { BankidState } from '#contract/sign-in/bankid.ts'
import type { BankIdTextKey } from '../frame/text-keys.ts'
import type { Device, Progress } from './use-order.ts'

/** What the step shows. */
export interface BankIdView {
  /** In the place of the code; nothing where the app is opened on a phone, which has no code. */
  panel: 'code' | 'waiting' | 'done' | 'problem' | undefined
  qrData: string | undefined
  /** Key of the message, BankID's or ours. None while the app waits to be opened on this device. */
  message: string | undefined
  /** Whether the code has to be explained. */
  explained: boolean
  /** Whether the app on this device can be chosen. */
  thisDevice: boolean
  /** What opens the app on this device. */
  token: string | undefined
  /** Whether opening it is the thing to do. */
  toBeOpened: boolean
  /** Whether the way by a code can be chosen. */
  otherDevice: boolean
}

interface Chosen {
  onPhone: boolean
  /** Where the app is that an order is begun for. */
  device: Device
  /** The token it was opened with. An order that was not opened in time is renewed, and opened again. */
  opened: string | undefined
}

const nothing: BankIdView = {
  panel: undefined,
  qrData: undefined,
  message: undefined,
  explained: false,
  thisDevice: false,
  token: undefined,
  toBeOpened: false,
  otherDevice: false,
}
const offline = 'bankIdOffline' satisfies BankIdTextKey
export const preparing = 'bankIdPreparing' satisfies BankIdTextKey

export function viewOf(progress: Progress, { onPhone, device, opened }: Chosen): BankIdView {
  const here = (progress.name === 'running' ? progress.state.device : device) === 'this'
  const panel = (shown: BankIdView['panel']) => (onPhone && here ? undefined : shown)
  switch (progress.name) {
    case 'starting':
      return { ...nothing, panel: panel('waiting'), message: progress.trouble ? offline : preparing }
    case 'done':
      return { ...nothing, panel: panel('done'), message: 'bankIdDone' }
    case 'over':
      return { ...nothing, panel: panel('problem'), message: progress.problem.message }
    case 'running': {
      const { state, trouble } = progress
      const token = state.autoStartToken ?? undefined
      const toBeOpened = token !== undefined && token !== opened
      const code = trouble ? undefined : (state.qrData ?? undefined)
      return {
        panel: panel(code ? 'code' : 'waiting'),
        qrData: code,
        message: trouble ? offline : toBeOpened ? undefined : isBeginning(state) ? preparing : state.message,
        explained: code !== undefined,
        thisDevice: state.qrData !== null,
        token,
        toBeOpened,
        otherDevice: token !== undefined,
      }
    }
  }
}

/** BankID has not answered yet: nobody tries to start an app. */
const isBeginning = ({ message, autoStartToken }: BankidState) => message === 'rfa13' && autoStartToken === null
