import { expect, test } from 'vitest'
import { createBench, type Bench } from './test-bench.ts'

type Piece = { sid: string; seq: number; n: number; stream: string; data: string; eof?: boolean }

function opened() {
  const bench = createBench().begin()
  const id = bench.command('shell.open', { sid: 's1' })
  expect(bench.results(id)[0]).toMatchObject({ code: 0, data: { shell: 'ash', cwd: '/root' } })
  return bench
}
function run(bench: Bench, cmd: string, seq = 1, more = {}) {
  const id = bench.command('shell.exec', { sid: 's1', seq, cmd, ...more })
  return id
}
const pieces = (bench: Bench, seq: number) => {
  const once = new Map(bench.events('shell.out').map((one) => [one.eid, one.data as Piece]))
  return [...once.values()].filter((one) => one.seq === seq)
}
const text = (bench: Bench, seq: number, stream = 'out') =>
  Buffer.concat(
    pieces(bench, seq)
      .filter((one) => one.stream === stream)
      .map(({ data }) => Buffer.from(data, 'base64')),
  ).toString()

test('commands of the list are carried out in a file system that is not the host’s', () => {
  const bench = opened()
  expect(bench.results(run(bench, 'ls /', 1))[0]).toMatchObject({ data: { exitCode: 0 } })
  expect(text(bench, 1).split('\n')).toEqual(expect.arrayContaining(['etc', 'home', 'var']))
  run(bench, 'cat /etc/hostname', 2)
  expect(text(bench, 2)).toBe('shop-gateway\n')
  run(bench, 'cd /home/gateway', 3)
  run(bench, 'cat readme.txt', 4)
  expect(text(bench, 4)).toContain('门店网关')
  expect(bench.results(run(bench, 'cat /etc/../../work/package.json', 5))[0]).toMatchObject({ data: { exitCode: 1 } })
  expect([text(bench, 5), text(bench, 5, 'err')]).toEqual(['', expect.stringContaining('No such file')])
  for (const [at, cmd] of ['df -h', 'free', 'uptime', 'ip addr', 'ps', 'logread', 'date', 'uname -a', 'id'].entries()) {
    run(bench, cmd, 10 + at)
    expect([cmd, text(bench, 10 + at).length > 0]).toEqual([cmd, true])
  }
})

test('what is not on the list, or is more than one command, is not allowed', () => {
  const bench = opened()
  const code = (cmd: string) => bench.acks(run(bench, cmd))[0]!.code
  for (const cmd of ['rm -rf /', 'sh', 'toString', 'ls; reboot', 'cat /etc/passwd | sh', 'echo $(id)', 'ls > x'])
    expect([cmd, code(cmd)]).toEqual([cmd, 6])
  expect([code('ls\nls'), code(''), code(`cat ${'x'.repeat(5_000)}`)]).toEqual([1, 1, 1])
  expect(bench.acks(bench.command('shell.exec', { sid: 'other', seq: 1, cmd: 'ls' }))[0]!.code).toBe(9)
})

test('output comes in pieces of at most 16 KB, numbered, before the result', () => {
  const bench = opened()
  const id = run(bench, 'cat /var/log/messages')
  const all = pieces(bench, 1)
  expect(all.length).toBeGreaterThan(10)
  expect(all.map(({ n }) => n)).toEqual(all.map((_, at) => at))
  expect(all.every(({ data }) => Buffer.from(data, 'base64').length <= 16_384)).toBe(true)
  expect(all.at(-1)!.eof).toBe(true)
  const order = bench.sent.map(({ payload }) => payload)
  expect(order.findIndex((one) => one.includes(`"id":"${id}","code"`))).toBeGreaterThan(
    order.findLastIndex((one) => one.includes('shell.out')),
  )
})

test('what has no end is ended by its time, by kill, or by the end of the session', () => {
  const bench = opened()
  const timed = run(bench, 'logread -f', 1, { timeoutMs: 5_000 })
  bench.clock.pass(4_500)
  expect([text(bench, 1).split('\n').length, bench.results(timed)]).toEqual([6, []])
  bench.clock.pass(1_000)
  expect(bench.results(timed)[0]).toMatchObject({ code: 0, data: { exitCode: 124 } })
  const killed = run(bench, 'yes', 2)
  run(bench, 'ps', 3)
  const pid = /(\d+) yes/.exec(text(bench, 3))![1]
  run(bench, `kill ${pid}`, 4)
  expect(bench.results(killed)[0]).toMatchObject({ data: { exitCode: 137 } })
  const closed = run(bench, 'ping shop', 5)
  bench.command('shell.close', { sid: 's1' })
  expect(bench.results(closed)[0]).toMatchObject({ data: { exitCode: 137 } })
  const before = bench.events('shell.out').length
  bench.deliver('evtack', { eids: bench.sentOn('evt').map(({ eid }) => eid) })
  bench.clock.pass(20_000)
  expect(bench.events('shell.out').length).toBe(before)
})

test('a counted ping and a sleep end by themselves', () => {
  const bench = opened()
  const ping = run(bench, 'ping -c 3 10.0.0.1', 1)
  const sleep = run(bench, 'sleep 2', 2)
  bench.clock.pass(1_500)
  expect([bench.results(ping), bench.results(sleep)]).toEqual([[], []])
  bench.clock.pass(2_000)
  expect(bench.results(ping)[0]).toMatchObject({ data: { exitCode: 0 } })
  expect(bench.results(sleep)[0]).toMatchObject({ data: { exitCode: 0 } })
  expect(text(bench, 1).trim().split('\n')).toHaveLength(3)
})
