import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate, sortedMigrationFiles } from '#kit/server/database/migrate.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'

// Tests what migrations do with rows that existed before: each set of rows is inserted into the schema it comes from.

const folder = new URL('../../../migrations/', import.meta.url)
let database: TestDatabase
let client: pg.Client
let older: string

/** Migrates the database up to the migration before the named one. */
async function migrateBefore(name: string): Promise<void> {
  const files = sortedMigrationFiles(await readdir(folder))
  expect(files.filter((file) => file.startsWith(name))).not.toEqual([])
  for (const file of files.filter((one) => one < name))
    await writeFile(join(older, file), await readFile(new URL(file, folder)))
  await migrate(database.url, pathToFileURL(`${older}/`))
}

type Row = Record<string, unknown>
async function insert(table: string, ...rows: Row[]): Promise<void> {
  for (const row of rows) {
    const places = Object.keys(row).map((_key, at) => `$${at + 1}`)
    await client.query(
      `insert into "${table}" (${Object.keys(row).join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    )
  }
}
const rows = async (statement: string): Promise<Row[]> => (await client.query(statement)).rows

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  client = new pg.Client({ connectionString: database.url, options: '-c TimeZone=Asia/Shanghai' })
  await client.connect()
  older = await mkdtemp(join(tmpdir(), 'older-schema-'))
}, 120_000)
afterAll(async () => {
  await client.end()
  await database.drop()
  await rm(older, { recursive: true })
})

const [NORTH, SOUTH] = ['100001', '100002']
const AT = '2026-10-05 12:00:00+08'
const LATER = '2026-10-08 09:30:00+08'
const text = (key: string) => `to_char(${key}, 'YYYY-MM-DD HH24:MI:SS') as ${key}`

describe('money that went back before what is paid for was one list', () => {
  const recharge = (id: number, more: Row) => ({
    id,
    tenant_id: NORTH,
    recharge_no: `R${id}`,
    amount: 10_000,
    pay_type: 'wechat',
    transaction_no: `42${id}`,
    pay_time: AT,
    update_time: LATER,
    ...more,
  })
  beforeAll(async () => {
    await migrateBefore('202611282047')
    await insert(
      'recharge_log',
      recharge(1, { refund_amount: 4000, refund_reason: '不来了', shop_id: 7, create_user: 9 }),
      recharge(2, { refund_amount: 0 }),
      recharge(3, {}),
      recharge(4, { refund_amount: 10_000, pay_type: 'cash', transaction_no: null }),
      recharge(5, { tenant_id: SOUTH, refund_amount: 100 }),
    )

    const attempt = { tenant_id: NORTH, amount: 500, update_time: LATER }
    await insert(
      'pay_attempt',
      { ...attempt, id: 1, pay_no: 'P1', back_state: 'done' },
      { ...attempt, id: 2, pay_no: 'P2', back_state: 'failed' },
      { ...attempt, id: 3, pay_no: 'P3' },
    )

    const day = { tenant_id: NORTH, side: 'wechat', day: '2026-10-05' }
    await insert(
      'tally_day',
      { ...day, id: 1, account_no: '1900000101' },
      { ...day, id: 2, account_no: '1900000102' },
      { ...day, id: 1, tenant_id: SOUTH, account_no: '1900000103' },
    )

    const difference = { tenant_id: NORTH, kind: 'payWithoutOrder' }
    await insert(
      'tally_difference',
      { ...difference, id: 1, day_id: 2, mark: 'a' },
      { ...difference, id: 1, day_id: 1, mark: 'a', tenant_id: SOUTH },
    )
    const back = {
      tenant_id: NORTH,
      merchant_id: 3,
      order_no: 'X',
      paid: 500,
      paid_fee: 3,
      paid_time: AT,
      state: 'done',
    }

    await insert(
      'tally_back',
      { ...back, id: 1, difference_id: 1, transaction_no: '421', out_no: 'TB1' },
      { ...back, id: 2, difference_id: 99, transaction_no: '422', out_no: 'TB2' },
      { ...back, id: 1, tenant_id: SOUTH, difference_id: 1, transaction_no: '421', out_no: 'TB1' },
    )
    await migrateBefore('202611282207')
  }, 240_000)

  test('is a refund paid out by hand for each recharge of which something went back, and for no other', async () => {
    expect(
      await rows(`select id, tenant_id, refund_no, payable, payable_id, payable_no, shop_id, amount, channel,
        transaction_no, paid, ${text('pay_time')}, reason, state, note, attempts, ${text('done_time')}, create_user
        from payment_refund order by tenant_id, id`),
    ).toEqual([
      {
        id: '1',
        tenant_id: NORTH,
        refund_no: 'RB1',
        payable: 'rechargeLog',
        payable_id: '1',
        payable_no: 'R1',
        shop_id: '7',
        amount: '4000',
        channel: 'wechat',
        transaction_no: '421',
        paid: '10000',
        pay_time: '2026-10-05 12:00:00',
        reason: '不来了',
        state: 'handed',
        note: '升级前登记的退款',
        attempts: 0,
        done_time: '2026-10-08 09:30:00',
        create_user: '9',
      },
      expect.objectContaining({ id: '4', tenant_id: NORTH, amount: '10000', channel: 'cash', transaction_no: null }),
      expect.objectContaining({ id: '5', tenant_id: SOUTH, amount: '100', payable_no: 'R5' }),
    ])
  })

  test('went back when its payment says so, and out of the account of the day it was found on', async () => {
    expect(await rows(`select pay_no, ${text('back_time')} from pay_attempt order by pay_no`)).toEqual([
      { pay_no: 'P1', back_time: '2026-10-08 09:30:00' },
      { pay_no: 'P2', back_time: null },
      { pay_no: 'P3', back_time: null },
    ])
    expect(await rows('select tenant_id, id, sub_mchid from tally_back order by tenant_id, id')).toEqual([
      { tenant_id: NORTH, id: '1', sub_mchid: '1900000102' },
      { tenant_id: NORTH, id: '2', sub_mchid: null },
      { tenant_id: SOUTH, id: '1', sub_mchid: '1900000103' },
    ])
  })
})

describe('figures of delivery orders that were taken from a bill', () => {
  const FIGURES = { ele: ['ele_order', 'commission'], meituan: ['meituan_order', 'service_fee'] } as const
  let next = 100
  /** Inserts an order, its line on the bill, and the difference between them in the given state. */
  async function order(side: keyof typeof FIGURES, no: string, { fee = 77, ...difference }: Row = {}) {
    const [table, commission] = FIGURES[side]
    const tenant_id = (difference.tenant_id as string) ?? NORTH
    const [id, dayId] = [++next, ++next]
    await insert(table, { id, tenant_id, platform_order_id: no, [commission]: fee, shop_fee: 900 })
    await insert('tally_line', {
      id,
      tenant_id: NORTH,
      day_id: dayId,
      source: 'order',
      kind: 'order',
      time: AT,
      transaction_no: '',
      order_no: no,
      refund_no: '',
      refund_there: '',
      amount: 1000,
      fee: 77,
      received: 900,
    })
    const left = { kind: 'commissionDiffers', state: 'settled', done_user: 9, done_time: LATER }
    await insert('tally_difference', {
      id,
      day_id: dayId,
      mark: no,
      transaction_no: no,
      side,
      ...left,
      ...difference,
      tenant_id: NORTH,
    })
  }
  beforeAll(async () => {
    for (const side of ['ele', 'meituan'] as const) {
      await order(side, 'taken')
      await order(side, 'asked', { state: 'asked', kind: 'settlementDiffers' })
      await order(side, 'nobody', { done_user: null })
      await order(side, 'accepted', { state: 'accepted' })
      await order(side, 'other kind', { kind: 'orderUnknownThere' })
      await order(side, 'written over', { fee: 60 })
      await order(side, 'of another tenant', { tenant_id: SOUTH })
    }
    await migrate(database.url, folder)
  }, 240_000)

  test.each(Object.values(FIGURES).map(([table]) => table))('stay where they are still those, of %s', async (table) => {
    expect(
      await rows(`select platform_order_id as no, ${text('billed_time')} from "${table}"
        where billed_time is not null order by id`),
    ).toEqual([
      { no: 'taken', billed_time: '2026-10-08 09:30:00' },
      { no: 'asked', billed_time: '2026-10-08 09:30:00' },
    ])
    expect(await rows(`select count(*)::int as count from "${table}"`)).toEqual([{ count: 7 }])
  })
})
