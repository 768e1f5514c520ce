import { expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { passedSocket } from './passed-socket.ts'

test('a socket is taken if it was passed to this process', () => {
  expect(passedSocket({ LISTEN_PID: '17', LISTEN_FDS: '1' }, 17)).toBe(3)
  expect(passedSocket({ LISTEN_PID: '16', LISTEN_FDS: '1' }, 17)).toBeUndefined()
  expect(passedSocket({ LISTEN_PID: '17' }, 17)).toBeUndefined()
  expect(passedSocket({}, 17)).toBeUndefined()
})

test('two sockets are refused: only one would be served', () => {
  expect(() => passedSocket({ LISTEN_PID: '17', LISTEN_FDS: '2' }, 17)).toThrow(ConfigError)
})
