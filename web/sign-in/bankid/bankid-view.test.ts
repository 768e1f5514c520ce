import { describe, expect, test } from 'vitest'
import type { BankidState } from '#contract/sign-in/bankid.ts'
import { viewOf } from './bankid-view.ts'
import type { Progress } from './use-order.ts'

const outstanding: BankidState = {
  status: 'pending',
  message: 'rfa1',
  device: 'other',
  qrData: 'bankid.x.0.y',
  autoStartToken: null,
  phoneApp: null,
}
const forHere: BankidState = {
  ...outstanding,
  message: 'rfa13',
  device: 'this',
  qrData: null,
  autoStartToken: 'token',
}
const inApp: BankidState = { ...outstanding, message: 'rfa9', qrData: null }
const running = (state: BankidState, trouble = false): Progress => ({ name: 'running', state, trouble })
const computer = { onPhone: false, device: 'other', opened: undefined } as const
const phone = { onPhone: true, device: 'this', opened: undefined } as const

describe('on a computer', () => {
  test('the code is shown and explained, and the app can be opened here instead', () => {
    expect(viewOf(running(outstanding), computer)).toEqual({
      panel: 'code',
      qrData: 'bankid.x.0.y',
      message: 'rfa1',
      explained: true,
      thisDevice: true,
      token: undefined,
      toBeOpened: false,
      otherDevice: false,
    })
  })

  test('once the code is read there is nothing to choose any more', () => {
    const view = viewOf(running(inApp), computer)
    expect(view).toMatchObject({
      panel: 'waiting',
      message: 'rfa9',
      explained: false,
      thisDevice: false,
      otherDevice: false,
    })
    expect(view.token).toBeUndefined()
  })

  test('a user who opened the app on this device reads its progress and can go back to the code', () => {
    expect(viewOf(running(forHere), { ...computer, opened: 'token' })).toMatchObject({
      panel: 'waiting',
      message: 'rfa13',
      thisDevice: false,
      toBeOpened: false,
      otherDevice: true,
    })
  })

  test('as long as BankID has not answered, nobody is told that an app starts', () => {
    const beginning = { ...inApp, message: 'rfa13' } as const
    expect(viewOf(running(beginning), computer)).toMatchObject({ panel: 'waiting', message: 'bankIdPreparing' })
  })

  test('a code that is too old is not shown', () => {
    expect(viewOf(running(outstanding, true), computer)).toMatchObject({
      panel: 'waiting',
      message: 'bankIdOffline',
      qrData: undefined,
      explained: false,
    })
  })
})

describe('on a phone', () => {
  test('the app is the thing to open, and no code is in the way', () => {
    expect(viewOf(running(forHere), phone)).toMatchObject({
      panel: undefined,
      qrData: undefined,
      message: undefined,
      toBeOpened: true,
      otherDevice: true,
    })
  })

  test('nobody is told that the app starts when it was another order that it was opened with', () => {
    const opened = { ...phone, opened: 'token' }
    expect(viewOf(running(forHere), opened).message).toBe('rfa13')
    const renewed = { ...forHere, autoStartToken: 'another' }
    expect(viewOf(running(renewed), opened)).toMatchObject({ message: undefined, toBeOpened: true })
  })

  test('the code can be had for another device, and is still there when the page was loaded again', () => {
    for (const device of ['other', 'this'] as const)
      expect(viewOf(running(outstanding), { ...phone, device })).toMatchObject({ panel: 'code', message: 'rfa1' })
  })
})

test('what comes before and after an order', () => {
  expect(viewOf({ name: 'starting', trouble: false }, computer)).toMatchObject({
    panel: 'waiting',
    message: 'bankIdPreparing',
  })
  expect(viewOf({ name: 'starting', trouble: true }, phone)).toMatchObject({ message: 'bankIdOffline' })
  expect(viewOf({ name: 'done' }, computer)).toMatchObject({ panel: 'done', message: 'bankIdDone' })
  expect(viewOf({ name: 'over', problem: { message: 'rfa6' } }, computer)).toMatchObject({
    panel: 'problem',
    message: 'rfa6',
    token: undefined,
    otherDevice: false,
  })
})
