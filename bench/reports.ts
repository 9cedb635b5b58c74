import { BENCH_START } from './folder.ts'
// npm run bench -- reports [--data ./year] [--rounds 5]: reports over a year of trade (npm run trade-year), each
// computed anew, in milliseconds of the server; whether stored sums answer it, and whether its figures equal those of
// the rows.
import { resolve } from 'node:path'
import { createServerApp } from '../apps/server/src/app.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import type { ReportResult } from '#kit/resource/answer.ts'
import { YEAR_TENANT } from '../scripts/trade-year-steps.ts'
import { median } from './load.ts'
import { signIn } from './tenant.ts'

const option = (name: string, fallback: string) =>
  process.argv.includes(`--${name}`) ? process.argv[process.argv.indexOf(`--${name}`) + 1]! : fallback
const dataDir = resolve(option('data', './year'))
const rounds = Number(option('rounds', '5'))
const database = await startEmbeddedPostgres({ dataDir: `${dataDir}/postgres`, log: console.log })
const app = await createServerApp({ ...BENCH_START, dataDir, databaseUrl: database.url })
await app.seed()
const headers = await signIn(app, YEAR_TENANT)

async function runReport(question: object): Promise<{ answer: ReportResult; ms: number }> {
  const started = performance.now()
  const response = await app.http.inject({ method: 'POST', headers, url: '/api/report/ask', payload: { question } })
  if (response.statusCode !== 200) throw new Error(response.body)
  return { answer: response.json<{ data: ReportResult }>().data, ms: performance.now() - started }
}

const year = { field: 'payTime', span: '2000-01-01~2099-12-31' }
const orders = { family: 'shoppingOrder', time: year, measures: ['sales', 'orders', 'profit'] }
const QUESTIONS: Record<string, object> = {
  'by shop': { ...orders, rows: ['shopId'], sort: 'sales' },
  'by month': { ...orders, rows: ['payTime.month'] },
  'by shop and month': { ...orders, rows: ['shopId'], columns: ['payTime.month'], measures: ['sales'] },
  'by way of paying (rows)': { ...orders, rows: ['payType'] },
  'by source and month (rows)': { ...orders, rows: ['source'], columns: ['payTime.month'] },
}

for (const [name, question] of Object.entries(QUESTIONS)) {
  const times: number[] = []
  let isKept = false
  let total: unknown
  for (let round = 0; round < rounds; round++) {
    const { answer, ms } = await runReport(question)
    times.push(ms)
    ;({ isKept } = answer)
    total = answer.total
  }
  // A filter that stored sums do not support and that excludes nothing.
  const { answer } = await runReport({ ...question, filters: { id_notnull: 'true' } })
  const isSame = JSON.stringify(answer.total) === JSON.stringify(total)
  const from = isKept ? 'kept sums' : 'rows'
  console.log(
    `${name.padEnd(30)} ${median(times).toFixed(0).padStart(6)} ms  from ${from}  ` +
      (isSame ? 'as the rows' : 'DIFFERS'),
  )
}
await app.stop()
await database.stop()
