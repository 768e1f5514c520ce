import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { createTestDatabase } from './database.ts'

/** A test database with a pool of the serving role on it. */
export interface ConnectedDatabase extends Database {
  appUrl: string
  ownerUrl: string
}

/** For tests of the platform that need only a database. Closing drops it. */
export async function connectTestDatabase(): Promise<ConnectedDatabase> {
  const { appUrl, ownerUrl, drop } = await createTestDatabase()
  const database = openDatabase({ url: appUrl, size: 20 })
  const close = async () => {
    await database.close()
    await drop()
  }
  return { ...database, appUrl, ownerUrl, close }
}
