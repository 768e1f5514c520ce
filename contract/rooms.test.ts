import { expect, test } from 'vitest'
import { auditEventNames } from './audit-event.ts'
import * as rooms from './rooms.ts'
import { screens } from './screens.ts'

const twice = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at)

test('no permission, event or screen is declared by two rooms', () => {
  const permissions = Object.values(rooms).flatMap((room) =>
    'permissions' in room ? Object.keys(room.permissions) : [],
  )
  expect(permissions.length).toBeGreaterThan(0)
  expect([permissions, auditEventNames, screens].map(twice)).toEqual([[], [], []])
})
