import ExcelJS from 'exceljs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedAllDemoData } from '#apps/server/src/demo/demo.ts'
import { wireYuanToCents } from '#kit/fields/money/cents.ts'
import {
  dimensionsOf,
  measureFieldKeys,
  drillDownFilter,
  type ReportCell,
  type ReportQuery,
  type Resource,
} from '#kit/resource/index.ts'
import { createRandom, type Random } from '#kit/server/base/random.ts'
import type { ReportResult } from '#kit/resource/answer.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { builtInReports } from './built-in.ts'

let server: TestServer
const people: Record<string, CastMember> = {}

beforeAll(async () => {
  server = await testServer()
  await seedAllDemoData(server.services, () => {}, { days: 4 })
  for (const [account, tenantId] of [
    ['admin', '000000'],
    ['wu', '100001'],
    ['lin', '100001'],
  ] as const)
    people[account] = await server.as(account, { tenantId })
})
afterAll(() => server?.close())

const callReport = (who: string, question: unknown, lang: 'zh' | 'en' = 'zh') =>
  server.call(people[who], 'POST', '/api/report/ask', { body: { question }, lang })
const must = async (who: string, question: Partial<ReportQuery>): Promise<ReportResult> => {
  const answer = await callReport(who, question)
  expect(answer.body).toMatchObject({ success: true })
  return answer.data
}
const resourceOf = (name: string): Resource => server.services.registry.resource(name)

type Row = Record<string, unknown>

/** Loads all rows of the resource's list under a filter. */
async function opened(who: string, resource: Resource, query: Record<string, string>): Promise<Row[]> {
  const rows: Row[] = []
  for (let current = 1; ; current++) {
    const { data, body } = await server.call(people[who], 'GET', `${resource.path}/${resource.list.path}`, {
      query: { ...query, current, size: 500 },
    })
    expect(body).toMatchObject({ success: true })
    rows.push(...data.records)
    if (rows.length >= data.total || !data.records.length) return rows
  }
}

/** Sum of a measure over the rows of a list, in cents or whole numbers; undefined for averages. */
function addedUp(resource: Resource, key: string, rows: readonly Row[]): number | undefined {
  const measure = resource.measures[key]!
  if (measure.average) return undefined
  if (!measure.sum) return rows.length
  const isMoney = (name: string) => resource.fields[name]!.kind === 'money'
  const amount = (row: Row, name: string) =>
    isMoney(name) ? wireYuanToCents(row[name]) : Number(row[name] === '' ? 0 : (row[name] ?? 0))
  return rows.reduce((sum, row) => {
    const { plus = [], less = [], times } = measure
    const value =
      amount(row, measure.sum!) +
      plus.reduce((all, name) => all + amount(row, name), 0) -
      less.reduce((all, name) => all + amount(row, name), 0)
    return sum + value * (times ? amount(row, times) : 1)
  }, 0)
}

const inCents = (resource: Resource, key: string, figure: unknown): number =>
  measureFieldKeys(resource.measures[key]!).some((name) => resource.fields[name]!.kind === 'money')
    ? wireYuanToCents(figure)
    : Number(figure)

const some = <T>(random: Random, list: readonly T[], count: number): T[] => {
  const left = [...list]
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random.next() * left.length), 1)[0]!,
  )
}

const SPANS = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth', 'thisWeek', 'thisYear']

function randomQuestion(random: Random, resource: Resource): ReportQuery {
  const times = [...new Set(dimensionsOf(resource).flatMap(({ part, fieldKey }) => (part ? [fieldKey] : [])))]
  const keys = some(
    random,
    dimensionsOf(resource).map(({ key }) => key),
    3,
  )
  const rows = keys.splice(0, Math.floor(random.next() * 3))
  const columns = keys.splice(0, Math.floor(random.next() * 2))
  const measures = some(random, Object.keys(resource.measures), 1 + Math.floor(random.next() * 3))
  const field = random.next() < 0.8 && some(random, times, 1)[0]
  return {
    family: resource.name,
    filters: {},
    ...(field ? { time: { field, span: some(random, SPANS, 1)[0]! } } : {}),
    ...(field && random.next() < 0.4 ? { compare: random.next() < 0.5 ? 'before' : 'lastYear' } : {}),
    rows,
    columns,
    measures,
    ...(random.next() < 0.5 ? { sort: measures[0]! } : {}),
    ...(random.next() < 0.3 && rows.length ? { top: 5 } : {}),
  }
}

const KEPT = ['sales', 'orders', 'average', 'items', 'cost', 'profit', 'discount']

/** A random query that roll-up sums can answer. */
const keptQuestion = (random: Random): ReportQuery => ({
  family: 'shoppingOrder',
  filters: {},
  time: { field: 'payTime', span: some(random, SPANS, 1)[0]! },
  rows: some(random, ['shopId', 'payTime.day', 'payTime.month'], 1),
  columns: some(random, ['payTime.week'], random.int(0, 1)),
  measures: some(random, KEPT, 3),
  ...(random.chance(0.5) ? { compare: 'before' } : {}),
})

/** A random figure of a result with its position; some are totals. */
function randomFigure(random: Random, answer: ReportResult, question: ReportQuery): ReportCell & { figure: unknown } {
  const isBefore = !!answer.compared && random.next() < 0.4
  const figures = isBefore ? answer.compared! : answer
  const row = random.next() < 0.8 ? Math.floor(random.next() * answer.rows.length) : -1
  const column = random.next() < 0.8 ? Math.floor(random.next() * answer.columns.length) : -1
  const at = Math.floor(random.next() * question.measures.length)
  const many = question.measures.length
  const [hasRow, hasColumn] = [answer.rows[row] !== undefined, answer.columns[column] !== undefined]
  return {
    rows: hasRow ? answer.rows[row]!.places : [],
    columns: hasColumn ? answer.columns[column]!.places : [],
    measure: question.measures[at]!,
    isBefore,
    figure: hasRow
      ? hasColumn
        ? figures.cells[row]![column * many + at]
        : figures.byRow[row]![at]
      : hasColumn
        ? figures.byColumn[column * many + at]
        : figures.total[at],
  }
}

describe('a report', () => {
  test(
    'opens rows that add up to the figure, for 100 random reports of an owner, a boss of some shops and the ' +
      'platform, and no rows of others',
    async () => {
      const random = createRandom(20261124)
      const resources = [...server.services.registry.served.values()].filter(
        ({ resource }) => Object.keys(resource.measures).length,
      )
      let [held, kept, rowsSeen] = [0, 0, 0]
      const refusals = new Set<string>()
      for (let n = 0; n < 100; n++) {
        const who = ['wu', 'lin', 'admin'][n % 3]!
        const { resource } =
          n % 2 && n % 4 ? resources[n % resources.length]! : { resource: resourceOf('shoppingOrder') }
        const question = n % 4 ? randomQuestion(random, resource) : keptQuestion(random)
        const { status, data: answer, body } = await callReport(who, question)
        // Refusals are expected: bosses may not see every resource, and platform-wide days may have too many rows.
        if (status !== 200) {
          refusals.add(body.data?.reason)
          continue
        }
        if (answer.isKept) kept++
        const { figure, ...cell } = randomFigure(random, answer, question)
        const rows = await opened(who, resource, drillDownFilter(resource, question, answer, cell))
        const sum = addedUp(resource, cell.measure, rows)
        if (sum === undefined) continue
        held++
        rowsSeen += rows.length
        const where = `${who} ${JSON.stringify({ question, cell })}`
        expect([where, inCents(resource, cell.measure, figure)]).toEqual([where, sum])
      }
      expect(['forbidden', 'report_too_big', 'report_unknown']).toEqual(expect.arrayContaining([...refusals]))
      expect(held).toBeGreaterThan(60)
      expect(kept).toBeGreaterThan(3)
      expect(rowsSeen).toBeGreaterThan(300)
    },
  )

  test('is answered from kept sums with the very figures the rows have, money and averages included', async () => {
    const random = createRandom(7)
    for (let n = 0; n < 12; n++) {
      const who = ['wu', 'lin'][n % 2]!
      const question = keptQuestion(random)
      const fromSums = await must(who, question)
      // This filter excludes nothing, but roll-up sums cannot apply it.
      const fromRows = await must(who, { ...question, filters: { id_notnull: 'true' } })
      expect([fromSums.isKept, fromRows.isKept]).toEqual([true, false])
      const figures = ({ rows, columns, cells, byRow, byColumn, total, compared }: ReportResult) => [
        rows,
        columns,
        cells,
        byRow,
        byColumn,
        total,
        compared,
      ]
      expect([question, figures(fromSums)]).toEqual([question, figures(fromRows)])
    }
  })

  test('shows a boss his shops alone, in each of the reports that came with the product', async () => {
    const shops = (await opened('lin', resourceOf('basicShopInfo'), {})).map(({ id }) => id)
    expect(shops).toHaveLength(3)
    for (const [name, { question }] of Object.entries(builtInReports)) {
      const { status, data } = await callReport('wu', { filters: {}, ...question })
      expect([name, status]).toEqual([name, 200])
      const places = async (who: string) => {
        const answer = await must(who, { filters: {}, ...question })
        const at = { rows: answer.question.rows.indexOf('shopId'), columns: answer.question.columns.indexOf('shopId') }
        return (['rows', 'columns'] as const).flatMap((side) =>
          at[side] < 0 ? [] : answer[side].map(({ places: all }) => all[at[side]]),
        )
      }
      const isByShop = data.question.rows.includes('shopId') || data.question.columns.includes('shopId')
      const seen: unknown[] = isByShop ? await places('lin') : []
      expect([name, [...shops, null]]).toEqual([name, expect.arrayContaining(seen)])
    }
    expect(Object.keys(builtInReports).length).toBeGreaterThanOrEqual(12)
  })

  test('is refused with the name of what is not declared, of what is hidden, and of what is no question', async () => {
    const base = { family: 'shoppingOrder', rows: ['shopId'], measures: ['sales'] }
    for (const [question, reason, name] of [
      [{ ...base, measures: ['pay_amount); drop table x'] }, 'report_unknown', 'pay_amount); drop table x'],
      [{ ...base, rows: ['pickupCode'] }, 'report_unknown', 'pickupCode'],
      [{ ...base, family: 'user' }, 'report_unknown', 'user'],
      [{ ...base, time: { field: 'orderNo', span: 'today' } }, 'report_unknown', 'orderNo'],
      [{ ...base, time: { field: 'payTime', span: '2026-02-30~2026-03-01' } }, 'report_part', 'time'],
      [{ ...base, compare: 'before' }, 'report_part', 'time'],
      [{ ...base, measures: [] }, 'report_part', 'measures'],
      [{ ...base, columns: ['shopId'] }, 'report_part', 'columns'],
      [{ ...base, top: 100_000 }, 'report_part', 'top'],
    ] as const) {
      const answer = await callReport('wu', question, 'en')
      expect([question, answer.data.reason]).toEqual([question, reason])
      expect(answer.body.msg).toContain(name)
    }
    const tooBig = await callReport('wu', {
      ...base,
      rows: ['createTime.day', 'wxUserId', 'shopId'],
      columns: ['payType'],
    })
    expect([200, 400]).toContain(tooBig.status)
  })

  test('leaves as a workbook with the same figures and a total, and not with who may not export the rows', async () => {
    const question: ReportQuery = {
      family: 'shoppingOrder',
      filters: {},
      time: { field: 'payTime', span: 'last7' },
      rows: ['shopId'],
      columns: [],
      measures: ['sales', 'orders'],
      sort: 'sales',
    }
    const answer = await must('wu', question)
    const file = await server.http.inject({
      method: 'GET',
      url: `/api/report/workbook?name=week&question=${encodeURIComponent(JSON.stringify(question))}`,
      headers: { 'blade-auth': `bearer ${people.wu!.token}` },
    })
    expect(file.statusCode).toBe(200)
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(file.rawPayload as never)
    const sheet = book.worksheets[0]!
    expect(sheet.rowCount).toBe(answer.rows.length + 2)
    expect(sheet.getRow(2).getCell(2).value).toBe(Number(answer.cells[0]![0]))
    expect(sheet.getRow(sheet.rowCount).getCell(2).value).toBe(Number(answer.total[0]))
  })

  test('is kept with a question that can be asked alone, and the product’s own are everybody’s to open', async () => {
    const submit = (who: string, body: object) => server.call(people[who], 'POST', '/api/report/view/submit', { body })
    const question = { family: 'shoppingOrder', rows: ['shopId'], measures: ['sales'] }
    expect((await submit('wu', { name: '我的', question: { ...question, measures: ['nothing'] } })).data.reason).toBe(
      'report_unknown',
    )
    const { data } = await submit('wu', { name: '我的', question })
    const list = async (who: string, lang: 'zh' | 'en' = 'zh') =>
      (await server.call(people[who], 'GET', '/api/report/view/list', { query: { size: 100 }, lang })).data
        .records as Row[]
    expect((await list('wu')).map(({ id }) => id)).toContain(data.id)
    const bosses = await list('lin', 'en')
    expect(bosses.map(({ id }) => id)).not.toContain(data.id)
    expect(bosses.map(({ name }) => name)).toEqual(expect.arrayContaining(['Daily sales', 'Best sellers']))
    expect(bosses).toHaveLength(Object.keys(builtInReports).length)
  })
})
