import { createServer, type Server, type Socket, type AddressInfo } from 'node:net'
import ipaddr from 'ipaddr.js'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refused } from '#kit/server/base/refused.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { MYSQL_DRIVER_CLASS, POSTGRES_DRIVER_CLASS } from './dictionaries.ts'
import {
  resolveAllowedAddress,
  isAllowedSourceAddress,
  requireAllowedSourceHost,
  requireAllowedSourcePort,
} from './source-network.ts'
import {
  DataSourceError,
  runDataSourceSession,
  type DataSourceLimits,
  type DataSourceConnection,
} from './source.client.ts'

const LOOPBACK = '127.0.0.1'
const closed = { inside: [], ports: [5432, 3306] }

let database: TestDatabase
let postgres: DataSourceConnection
const servers: Server[] = []
beforeAll(async () => {
  database = await testDatabase({ empty: true })
  const { hostname, port, pathname, username, password } = new URL(database.url)
  postgres = {
    driverClass: POSTGRES_DRIVER_CLASS,
    host: hostname,
    port: Number(port),
    databaseName: pathname.slice(1),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    useTls: false,
  }
})
afterAll(async () => {
  for (const server of servers) server.close()
  await database?.drop()
})

const maria: DataSourceConnection = {
  driverClass: MYSQL_DRIVER_CLASS,
  host: LOOPBACK,
  port: 3306,
  databaseName: 'information_schema',
  username: 'root',
  password: '',
  useTls: false,
}
const hasMaria = await mysql
  .createConnection({ host: LOOPBACK, port: 3306, user: 'root', connectTimeout: 2000 })
  .then((connection) => connection.end().then(() => true))
  .catch(() => false)
if (!hasMaria)
  console.warn('No MariaDB answers on 127.0.0.1:3306: what is promised of it is not looked at in this run.')

const FOUR = ['a', 'b', 'c', 'd'].map((one) => `information_schema.columns ${one}`)
const EVERYTHING = `select count(*) from ${FOUR.join(', ')}`

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
    return 'nothing'
  } catch (error) {
    return error instanceof DataSourceError ? error.fault : error instanceof Refused ? error.code : error
  }
}

/** Starts a TCP server on this machine and returns its port. */
async function server(serve: (socket: Socket) => void): Promise<number> {
  const made = createServer((socket) => {
    socket.on('error', () => {})
    serve(socket)
  })
  servers.push(made)
  await new Promise<void>((ready) => made.listen(0, LOOPBACK, ready))
  return (made.address() as AddressInfo).port
}

describe('a data source', () => {
  test.each([
    '127.0.0.1',
    '127.0.0.2',
    '10.1.2.3',
    '172.16.9.9',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    'fd00:ec2::254',
    'fe80::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])('may not lie at %s, unless an operator opened its network', (address) => {
    expect(isAllowedSourceAddress(address, closed)).toBe(false)
    expect(() => requireAllowedSourceHost(address, closed)).toThrow(Refused)
    const plain = ipaddr.process(address)
    const network = `${plain.toString()}/${plain.kind() === 'ipv6' ? 128 : 32}`
    expect(isAllowedSourceAddress(address, { ...closed, inside: [network] })).toBe(true)
    expect(isAllowedSourceAddress(address, { ...closed, inside: ['203.0.113.0/24', '2001:db8::/32'] })).toBe(false)
  })

  test('may lie in the open network, at a port that is open to data sources and at no other', () => {
    for (const address of ['8.8.8.8', '2606:4700::1111']) expect(isAllowedSourceAddress(address, closed)).toBe(true)
    expect(() => requireAllowedSourceHost('erp.example.com', closed)).not.toThrow()
    expect(() => requireAllowedSourcePort(5432, closed)).not.toThrow()
    for (const port of [22, 80, 6379]) expect(() => requireAllowedSourcePort(port, closed)).toThrow(Refused)
  })

  test.each([
    'localhost',
    'db',
    'db.internal',
    'printer.local',
    '2130706433',
    '0x7f.1',
    '127.1',
    '017700000001',
    'LOCALHOST.',
  ])('is not reached under a name of this network or an address in disguise: %s', async (host) => {
    const resolve = async () => [{ address: LOOPBACK }]
    expect(() => requireAllowedSourceHost(host, closed)).toThrow(Refused)
    expect(await faultOf(resolveAllowedAddress(host, closed, resolve))).toBe('source_inside')
  })

  test('of which a single address lies inside is refused, whatever its others are', async () => {
    const resolve = async () => [{ address: '8.8.8.8' }, { address: '10.0.0.1' }]
    expect(await faultOf(resolveAllowedAddress('two.example.com', closed, resolve))).toBe('source_inside')
    expect(await faultOf(resolveAllowedAddress('none.example.com', closed, async () => []))).toBe('source_inside')
  })

  test('whose name means another address a moment later is asked at the one that was looked at, and once', async () => {
    let lookups = 0
    const resolve = async () => [{ address: ++lookups === 1 ? LOOPBACK : '10.9.9.9' }]
    const open = { ...closed, inside: ['127.0.0.1/32'] }
    const address = await resolveAllowedAddress('changing.example.com', open, resolve)
    // The host name cannot be resolved, which proves that the driver does not resolve it.
    const source = { ...postgres, host: 'changing.example.invalid' }
    expect(await runDataSourceSession(source, address, (ask) => ask('select 7 as n'))).toEqual([{ n: '7' }])
    expect(lookups).toBe(1)
  })

  test.each([POSTGRES_DRIVER_CLASS, MYSQL_DRIVER_CLASS])(
    'that takes the call and never answers is left in time: %s',
    async (driverClass) => {
      const port = await server(() => {})
      const limits = { connectMs: 300, wholeMs: 600 }
      const begun = performance.now()
      expect(
        await faultOf(runDataSourceSession({ ...postgres, driverClass, port }, LOOPBACK, async () => {}, limits)),
      ).toMatch(/timeout|unreachable/)
      expect(performance.now() - begun).toBeLessThan(3000)
    },
  )

  test.each([POSTGRES_DRIVER_CLASS, MYSQL_DRIVER_CLASS])(
    'that sends without end is cut off: %s',
    async (driverClass) => {
      const flood = Buffer.alloc(1024 * 1024, 'N'.charCodeAt(0))
      const port = await server((socket) => {
        const pour = () => {
          while (!socket.destroyed && socket.write(flood));
        }
        socket.on('drain', pour)
        pour()
      })
      const limits: Partial<DataSourceLimits> = { bytes: 4 * 1024 * 1024, wholeMs: 4000 }
      expect(
        await faultOf(runDataSourceSession({ ...postgres, driverClass, port }, LOOPBACK, async () => {}, limits)),
      ).toMatch(/too_much|unreachable|timeout/)
    },
  )

  test('is named by fields: a parameter written into one stays a part of the name and reads no file', async () => {
    const databaseName = `${postgres.databaseName}?sslmode=verify-full&sslrootcert=/etc/hostname`
    const fault = await runDataSourceSession({ ...postgres, databaseName }, LOOPBACK, async () => {}).catch(
      (error: unknown) => error,
    )
    expect(fault).toMatchObject({ fault: 'refused', code: '3D000' })
  })

  test('that wants TLS and has none is not spoken to in the open', async () => {
    expect(await faultOf(runDataSourceSession({ ...postgres, useTls: true }, LOOPBACK, (ask) => ask('select 1')))).toBe(
      'unreachable',
    )
  })
})

describe.each([
  ['PostgreSQL', true],
  ['MariaDB', hasMaria],
] as const)('what is read from %s', (name, isInstalled) => {
  const source = () => (name === 'PostgreSQL' ? postgres : { ...maria, databaseName: 'develop_attack' })
  const go = (statement: string, limits?: Partial<DataSourceLimits>) =>
    faultOf(runDataSourceSession(source(), LOOPBACK, (ask) => ask(statement), limits))

  beforeAll(async () => {
    if (!isInstalled) return
    if (name === 'PostgreSQL') {
      const client = new pg.Client({ connectionString: database.url })
      await client.connect()
      await client.query('create table kept (id int); insert into kept values (1)')
      return client.end()
    }
    const connection = await mysql.createConnection({ host: LOOPBACK, port: 3306, user: 'root' })
    await connection.query('create database if not exists develop_attack')
    await connection.query('create table if not exists develop_attack.kept (id int)')
    await connection.end()
  })
  afterAll(async () => {
    if (!isInstalled || name === 'PostgreSQL') return
    const connection = await mysql.createConnection({ host: LOOPBACK, port: 3306, user: 'root' })
    await connection.query('drop database develop_attack')
    await connection.end()
  })

  test.skipIf(!isInstalled)('is read in a session that writes nothing', async () => {
    expect(await go('insert into kept values (2)')).toBe('refused')
    expect(await go('delete from kept')).toBe('refused')
    expect(await go('create table more (id int)')).toBe('refused')
    expect(await go('select * from kept')).toBe('nothing')
  })

  test.skipIf(!isInstalled)('is one statement at a time', async () => {
    expect(await go('select 1; select 2')).toBe('refused')
    expect(await go('select 1; drop table kept')).toBe('refused')
    expect(await go('select * from kept')).toBe('nothing')
  })

  test.skipIf(!isInstalled)('is cut off when it lasts too long or is too much', async () => {
    const [slow, wide] =
      name === 'PostgreSQL'
        ? ['select pg_sleep(20)', "select repeat('x', 1000000) from generate_series(1, 100)"]
        : [EVERYTHING, "select repeat('x', 1000000) from information_schema.columns limit 100"]
    expect(await go(slow, { statementMs: 300, wholeMs: 2000 })).toBe('timeout')
    expect(await go(wide, { bytes: 5_000_000 })).toBe('too_much')
  })

  test.skipIf(!isInstalled || name === 'PostgreSQL')('never brings a file of ours along', async () => {
    expect(await go("load data local infile '/etc/hostname' into table kept")).not.toBe('nothing')
  })
})
