// The lower bound for lists: Fastify and pg running the very same statements and nothing else. node bench/bare.ts
// <database url> <port> <file with the statements>
import Fastify from 'fastify'
import { readFileSync } from 'node:fs'
import { openPool } from '#kit/server/database/connections.ts'

type Statement = { text: string; values: unknown[] }

const [url, port, file] = process.argv.slice(2)
const cases = JSON.parse(readFileSync(file!, 'utf8')) as Record<string, Statement[]>
const pool = openPool({ connectionString: url, max: 16, options: '-c TimeZone=Asia/Shanghai' })
const app = Fastify()
for (const [name, statements] of Object.entries(cases)) {
  app.get(`/${name}`, async (request) => {
    const values = JSON.parse((request.query as { values: string }).values) as unknown[][]
    const results = await Promise.all(
      statements.map((statement, index) =>
        pool.query({ name: `${name}${index}`, text: statement.text, values: values[index]! }),
      ),
    )
    return {
      code: 200,
      success: true,
      data: { records: results[0]!.rows, total: Number(results[1]?.rows[0]?.n ?? 0) },
      msg: 'ok',
    }
  })
}
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.('ready')
