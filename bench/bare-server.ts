import fastify from 'fastify'
import pg from 'pg'

/**
 * The baseline for /api/me: a route that does one indexed select and nothing else. Runs as a separate process and sends its
 * port to the parent.
 */
const { DATABASE_URL = '', ACCOUNT_ID = '' } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const app = fastify()
app.get('/', async () => {
  const { rows } = await pool.query({
    name: 'bare',
    text: 'select account_id, first_name, last_name, email, phone_number, preferred_language, login_method, super_user from users where account_id = $1',
    values: [ACCOUNT_ID],
  })
  return rows[0]
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' ? address?.port : undefined)
process.on('disconnect', () => process.exit())
