import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'

const open: { end: () => Promise<void> }[] = []
const dropped: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const client of open.splice(0)) await client.end()
  for (const drop of dropped.splice(0)) await drop()
})

async function database(options?: { empty: boolean }) {
  const { url, drop } = await testDatabase(options)
  dropped.push(drop)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  open.push(client)
  return { client, url, drop }
}

test('what one test writes, another test does not see', async () => {
  const [one, other] = await Promise.all([database(), database()])
  await one.client.query('create table only_here (id int)')
  const { rows } = await other.client.query(`select to_regclass('only_here') as found`)
  expect(rows).toEqual([{ found: null }])
})

test('a database that was asked for empty has no table', async () => {
  const { client } = await database({ empty: true })
  const { rows } = await client.query(`select count(*)::int as tables from pg_tables where schemaname = 'public'`)
  expect(rows).toEqual([{ tables: 0 }])
})

test('a dropped database is gone although a session was still open', async () => {
  const { client, url, drop } = await database()
  client.on('error', () => {})
  await drop()
  await expect(new pg.Client({ connectionString: url }).connect()).rejects.toThrow('does not exist')
})

test('the owner may create roles and act as them', async () => {
  const { client } = await database()
  const role = `probe_${process.pid}_${Date.now()}`
  await client.query('begin')
  await client.query(`create role ${role} nologin`)
  await client.query(`grant ${role} to current_user`)
  await client.query(`set local role ${role}`)
  const { rows } = await client.query('select current_user as me')
  await client.query('rollback')
  expect(rows).toEqual([{ me: role }])
})
