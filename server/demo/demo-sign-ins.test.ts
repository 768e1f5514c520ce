import { expect, test } from 'vitest'
import { testApp } from '#test/test-app.ts'
import { prepareDemo, refuseDemo } from './demo-sign-ins.ts'

test('a database that holds the demo, or its company’s sign-in alone, does not serve production', async () => {
  const { system, person, close } = await testApp({ DEMO: 'on' })
  try {
    await person()
    await expect(refuseDemo(system)).resolves.toBeUndefined()
    await system.db.deleteFrom('users').execute()
    expect(await prepareDemo(system, () => {})).not.toEqual([])
    await expect(refuseDemo(system)).rejects.toThrow('DATABASE_URL must not be a database with the demo in it')
    await system.db
      .updateTable('users')
      .set({ email: 'renamed@vestibule.example' })
      .where('superUser', '=', true)
      .execute()
    await expect(refuseDemo(system)).rejects.toThrow('DATABASE_URL')
  } finally {
    await close()
  }
})
