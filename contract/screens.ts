import * as rooms from './rooms.ts'

/**
 * The paths of all screens of the signed-in app, with `{name}` for a parameter. The server sends the app's HTML for these
 * and a real 404 for all others, so a screen that is missing here fails when the user reloads it.
 */
export const screens: readonly `/${string}`[] = Object.values(rooms).flatMap((room) =>
  'screens' in room ? [...room.screens] : [],
)
