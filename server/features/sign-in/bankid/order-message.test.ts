import { expect, test } from 'vitest'
import { newOrder } from './advance-order.ts'
import { messageOf, type Viewer } from './order-message.ts'
import type { StoredOrder } from './orders.repository.ts'

const computer = { opened: false, mobile: false }
const phone = { opened: true, mobile: true }
const said = (order: Partial<StoredOrder>, viewer: Viewer = computer) =>
  messageOf({ ...newOrder('other', new Date(0)), sealed: 'sealed', ...order }, viewer)

test.each([
  ['outstandingTransaction', 'rfa1', 'rfa13'],
  ['noClient', 'rfa1', 'rfa1'],
  ['started', 'rfa15a', 'rfa15b'],
  ['userSign', 'rfa9', 'rfa9'],
  ['userMrtd', 'rfa23', 'rfa23'],
  ['userFace', 'rfa24', 'rfa24'],
  ['userStepUp', 'rfa25', 'rfa25'],
  ['processing', 'rfa21', 'rfa21'],
  ['userCallConfirm', 'rfa21', 'rfa21'],
  ['toString', 'rfa21', 'rfa21'],
])('while BankID says %s a person with a code reads %s, one with the app on a phone %s', (hintCode, code, app) => {
  expect(said({ hintCode })).toBe(code)
  expect(said({ hintCode, device: 'this' }, phone)).toBe(app)
})

test.each([
  ['expiredTransaction', 'rfa8', 'rfa8'],
  ['certificateErr', 'rfa16', 'rfa16'],
  ['userCancel', 'rfa6', 'rfa6'],
  ['cancelled', 'rfa3', 'rfa3'],
  ['startFailed', 'rfa17b', 'rfa17a'],
  ['mrtdVerificationFailed', 'rfa26', 'rfa26'],
  ['facialRecognitionFailed', 'rfa27', 'rfa27'],
  ['nfcNotSupportedByDevice', 'rfa28', 'rfa28'],
  ['stepUpFailed', 'rfa30', 'rfa30'],
  ['userDeclinedCall', 'rfa22', 'rfa22'],
  ['notSupportedByUserApp', 'rfa22', 'rfa22'],
  ['transactionRiskBlocked', 'rfa22', 'rfa22'],
  ['multipleBankIdsOnDevice', 'rfa22', 'rfa22'],
])('after BankID failed by %s a person with a code reads %s, one with the app on a phone %s', (hintCode, code, app) => {
  expect(said({ status: 'failed', hintCode })).toBe(code)
  expect(said({ status: 'failed', hintCode, device: 'this' }, phone)).toBe(app)
})

test('our own fault takes precedence over the hint code of BankID', () => {
  expect(said({ status: 'failed', fault: 'alreadyInProgress' })).toBe('rfa4')
  expect(said({ status: 'failed', fault: 'unavailable', hintCode: 'userCancel' })).toBe('rfa5')
  expect(said({ sealed: null })).toBe('rfa13')
})
