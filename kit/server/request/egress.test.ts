import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  classifyExternalFailure,
  isPrivateUrl,
  isPrivateIp,
  networkPrefixOf,
  createPublicLookup,
  createEgressAgents,
} from './egress.ts'

const INSIDE = [
  'localhost',
  'localhost.',
  'LOCALHOST..',
  'http://localhost.:9000',
  'http://shop.localhost/',
  'http://127.0.0.1',
  'http://127.0.0.1.',
  'http://127.1',
  'http://127.1.',
  'http://2130706433',
  'http://0x7f.1',
  'http://0177.0.0.1',
  'http://127。0。0。1',
  'http://127．0．0．1',
  'http://１２７.0.0.1',
  'http://localhost。',
  'http://①27.0.0.1',
  'http://0',
  'http://0.0.0.0:80',
  'http://[::]',
  'http://[::1]:9000',
  'http://[::ffff:127.0.0.1]',
  'http://[::ffff:7f00:1]',
  'http://[::127.0.0.1]',
  'http://[0:0:0:0:0:ffff:a00:1]',
  'http://[64:ff9b::10.0.0.1]',
  'http://[2002:7f00:1::]',
  'http://[fe80::1]',
  'http://[fd12::1]',
  'http://[ff02::1]',
  '10.1.2.3',
  'http://012.1.2.3',
  'http://8.8.8.8@10.0.0.1',
  'http://169.254.169.254/latest',
  'http://100.100.100.200',
  'http://168.63.129.16',
  'http://172.31.0.1',
  'http://192.168.1.1',
  'http://100.64.0.1',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'minio',
  'http://minio:9000',
  'http://db.internal',
  'http://nas.local.',
  'http://router.lan',
  'http://x.home.arpa',
  'ftp://example.com',
  'file:///etc/passwd',
  'http://',
  'not an address',
  '',
]
const OUTSIDE = [
  'https://oss-cn-hangzhou.aliyuncs.com',
  'oss.example.com:9000',
  'http://example.com.',
  'https://8.8.8.8',
  'http://172.32.0.1',
  'http://[2606:4700::1111]',
  'https://例子.中国',
  'http://localhost.example.com',
  'http://11.0.0.1',
  'http://home.example.com',
]

describe('an address somebody gives', () => {
  test('that lies inside is known in all its spellings, and what lies outside is not taken for it', () => {
    expect(INSIDE.filter((one) => !isPrivateUrl(one))).toEqual([])
    expect(OUTSIDE.filter((one) => isPrivateUrl(one))).toEqual([])
    expect(['::ffff:10.0.0.1', 'fe80::1%eth0', '', 'x'].map(isPrivateIp)).toEqual([true, true, true, true])
  })
})

describe('a connection to the outside', () => {
  let server: Server
  let port: number
  let calls = 0
  beforeAll(async () => {
    server = createServer((_request, response) => response.end(String(++calls)))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server?.close())

  const ask = (url: string, resolve?: Parameters<typeof createEgressAgents>[0]) =>
    new Promise<string>((done) => {
      const clientRequest = request(url, { agent: createEgressAgents(resolve).http, timeout: 2000 }, (response) =>
        response.resume().on('end', () => done('answered')),
      )
      clientRequest
        .on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.name))
        .on('timeout', () => clientRequest.destroy(new Error('timeout')))
        .end()
    })

  test('is not made to a name that means a place inside, be it one of several addresses, nor to a number', async () => {
    expect(
      await ask(`http://shop.example.com:${port}/`, (_host, _options, done) =>
        done(null, [{ address: '127.0.0.1', family: 4 }]),
      ),
    ).toBe('INNER_ADDRESS')
    expect(
      await ask(`http://shop.example.com:${port}/`, (_host, _options, done) =>
        done(null, [
          { address: '8.8.8.8', family: 4 },
          { address: '::ffff:127.0.0.1', family: 6 },
        ]),
      ),
    ).toBe('INNER_ADDRESS')
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://localhost.:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://0177.0.0.1:${port}/`,
    ])
      expect([url, await ask(url).catch((error: { code: string }) => error.code)]).toEqual([url, 'INNER_ADDRESS'])
    expect(calls).toBe(0)
  })

  test('goes where the name led when it was looked at: it is resolved once', async () => {
    const answers = [
      { address: '8.8.8.8', family: 4 as const },
      { address: '127.0.0.1', family: 4 as const },
    ]
    let lookups = 0
    const lookup = createPublicLookup((_host, _options, done) => done(null, [answers[lookups++]!]))
    const once = await new Promise((done) => lookup('shop.example.com', {}, (...all) => done(all)))
    expect([lookups, once]).toEqual([1, [null, '8.8.8.8', 4]])
    expect(await new Promise((done) => lookup('shop.example.com', { all: true }, (...all) => done(all)))).toEqual([
      expect.objectContaining({ code: 'INNER_ADDRESS' }),
    ])
  })

  test('that fails says no more than that it failed', () => {
    expect(
      classifyExternalFailure(Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' })),
    ).toBe('unreachable')
    expect(classifyExternalFailure(Object.assign(new Error('x'), { name: 'TimeoutError' }))).toBe('timeout')
  })
})

test('a host is counted by its network where it has a whole one, however its address is spelt', () => {
  const one = ['2001:db8::aaaa:bbbb:cccc:1', '2001:db8:0:0:1:2:3:4', '2001:db8::1', '2001:db8:0:0::']
  expect(new Set(one.map(networkPrefixOf))).toEqual(new Set(['2001:db8:0:0']))
  expect(networkPrefixOf('2001:db8:0:1::1')).not.toBe(networkPrefixOf('2001:db8::1'))
  expect(['10.0.0.1', '::ffff:10.0.0.1', '::1', 'junk:::::::::::'].map(networkPrefixOf)).toEqual([
    '10.0.0.1',
    '10.0.0.1',
    '0:0:0:0',
    'junk:0:0:0',
  ])
})
