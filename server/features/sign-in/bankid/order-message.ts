import type { BankIdMessage } from '#contract/sign-in/bankid-messages.ts'
import type { StoredOrder } from './orders.repository.ts'

/** The device that shows the page. */
export interface Viewer {
  /** The person has followed the link that opens the app on this device. */
  opened: boolean
  /** This device is a phone or a tablet. */
  mobile: boolean
}

type Way = Viewer & Pick<StoredOrder, 'device'>
type ByWay = BankIdMessage | ((way: Way) => BankIdMessage)

const startedOn = ({ mobile }: Way) => (mobile ? 'rfa15b' : 'rfa15a')

// BankID's table of recommended messages; an unknown hint code gets the table's default message.
const whilePending: Record<string, ByWay> = {
  outstandingTransaction: ({ device }) => (device === 'this' ? 'rfa13' : 'rfa1'),
  noClient: 'rfa1',
  started: startedOn,
  userSign: 'rfa9',
  userMrtd: 'rfa23',
  userFace: 'rfa24',
  userStepUp: 'rfa25',
}
const onceFailed: Record<string, ByWay> = {
  expiredTransaction: 'rfa8',
  certificateErr: 'rfa16',
  userCancel: 'rfa6',
  cancelled: 'rfa3',
  // A person who has not tried to open the app may well have it installed.
  startFailed: ({ device, opened }) => (device === 'other' ? 'rfa17b' : opened ? 'rfa17a' : 'rfa3'),
  mrtdVerificationFailed: 'rfa26',
  facialRecognitionFailed: 'rfa27',
  nfcNotSupportedByDevice: 'rfa28',
  stepUpFailed: 'rfa30',
}
const ofFault = { alreadyInProgress: 'rfa4', unavailable: 'rfa5' } as const

/** The message to show to the person. */
export function messageOf({ status, hintCode, fault, sealed, device }: StoredOrder, viewer: Viewer): BankIdMessage {
  if (fault) return ofFault[fault]
  if (status === 'complete') return 'rfa21'
  // BankID has not answered yet.
  if (!sealed) return 'rfa13'
  const [known, otherwise] = status === 'failed' ? [onceFailed, 'rfa22' as const] : [whilePending, 'rfa21' as const]
  const message = Object.hasOwn(known, hintCode) ? known[hintCode] : undefined
  return typeof message === 'function' ? message({ ...viewer, device }) : (message ?? otherwise)
}

const mobiles = /Android|iPhone|iPad|iPod|Mobile/i
export const isMobile = (userAgent: string | undefined): boolean => mobiles.test(userAgent ?? '')
