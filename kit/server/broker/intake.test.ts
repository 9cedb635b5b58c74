import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMessageIntake } from './intake.ts'
import { MQTT_MESSAGE_BYTES_MAX } from './topics.ts'

type Options = Parameters<typeof createMessageIntake>[0]
const deviceOf = (topic: string) => topic.split('/')[1]!
const json = (message: unknown) => Buffer.from(JSON.stringify(message))
const passing = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds of fake time until `work` is done, when only its timers take time. */
async function timersOf(work: () => Promise<void>): Promise<number> {
  vi.useFakeTimers()
  const begin = Date.now()
  let isOver = false
  const over = work().finally(() => (isOver = true))
  while (!isOver) await vi.advanceTimersByTimeAsync(1)
  await over
  return Date.now() - begin
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function stage(handle: Options['handle'], options: Partial<Options> = {}) {
  const aside: [string, string][] = []
  const intake = createMessageIntake({
    laneOf: deviceOf,
    handle,
    aside: (topic, payload, reason) => void aside.push([reason, `${topic} ${String(payload)}`]),
    againMs: 40,
    ...options,
  })
  const give = (topic: string, message: unknown) => intake.take(topic, json(message), false)
  return { intake, give, aside }
}

describe('an intake', () => {
  it('keeps the order of each device while devices are handled beside each other', async () => {
    const received = new Map<string, number[]>()
    let atWork = 0
    let most = 0
    const { intake, give } = stage(async (topic, message) => {
      most = Math.max(most, ++atWork)
      await passing(Math.random() * 4)
      const device = deviceOf(topic)
      received.set(device, [...(received.get(device) ?? []), message as number])
      atWork--
    })
    for (let n = 0; n < 20; n++) for (let device = 0; device < 50; device++) await give(`gw/${device}/n`, n)
    await intake.idle()
    expect(most).toBe(32)
    expect(received.size).toBe(50)
    for (const numbers of received.values()) expect(numbers).toEqual([...Array(20).keys()])
  })

  it('says of what was held outside that it is late, until that has come in, and of nothing else', async () => {
    const late: number[] = []
    const { intake, give } = stage(
      async (_topic, message, { isLate }) => {
        await passing(1)
        if (isLate) late.push(message as number)
      },
      { insideMax: 10, laneMax: 40, lanes: 1 },
    )
    // The tenth message fills the intake, so the sender of it and of later ones waits.
    for (let n = 0; n < 12; n++) await give('gw/one/n', n)
    await intake.idle()
    await give('gw/one/n', 12)
    await intake.idle()
    expect(late).toEqual([10, 11])
  })

  it('stamps a message when it comes, however long it waits', async () => {
    let clock = 1_000
    const stamps: number[] = []
    let end = () => {}
    const stopped = new Promise<void>((resolve) => (end = resolve))
    const { intake, give } = stage(
      async (_topic, _message, { at }) => {
        stamps.push(at)
        await stopped
      },
      { lanes: 1, now: () => clock },
    )
    await give('gw/one/n', 1)
    await give('gw/two/n', 1)
    clock = 41_000
    end()
    await intake.idle()
    expect(stamps).toEqual([1_000, 1_000])
  })

  it('lets nothing go while what it needs is away, and says whose message it put aside', async () => {
    let isAway = true
    let tries = 0
    const handled: unknown[] = []
    const letGo: string[] = []
    const { intake, give, aside } = stage(
      (_topic, message) => {
        tries++
        if (isAway) throw new Error('away')
        if (message === 'poison') throw new Error('cannot be stored')
        handled.push(message)
      },
      {
        againMs: 1,
        insideMax: 100,
        laneMax: 3,
        isPassing: (err) => (err as Error).message === 'away',
        letGo: (topic) => letGo.push(topic),
      },
    )
    for (const n of [1, 2, 3, 4]) await give('gw/one/n', n)
    for (let n = 0; n < 50; n++) await give(`gw/${n}/m`, n)
    await expect.poll(() => tries).toBeGreaterThan(200)
    expect([handled, aside, letGo]).toEqual([[], [['crowded', 'gw/one/n 4']], ['gw/one/n']])
    isAway = false
    await give('gw/two/n', 'poison')
    await intake.idle()
    expect(handled).toHaveLength(53)
    expect(letGo).toEqual(['gw/one/n', 'gw/two/n'])
  })

  it('hands on what is urgent before what waits and beside what is at work, each device in order', async () => {
    const handled: string[] = []
    let end = () => {}
    const stopped = new Promise<void>((resolve) => (end = resolve))
    const { intake, give } = stage(
      async (topic) => {
        handled.push(topic)
        if (topic === 'gw/slow/n') await stopped
      },
      { lanes: 1, isPriority: (topic) => topic.endsWith('/ask') },
    )
    await give('gw/slow/n', 1)
    await give('gw/patient/n', 1)
    await give('gw/mixed/n', 1)
    await give('gw/mixed/ask', 2)
    await give('gw/door/ask', 1)
    expect(handled).toEqual(['gw/slow/n', 'gw/door/ask'])
    end()
    await intake.idle()
    expect(handled).toEqual(['gw/slow/n', 'gw/door/ask', 'gw/patient/n', 'gw/mixed/n', 'gw/mixed/ask'])
  })

  it('takes 500 messages a second whose handling lasts 5 ms each', async () => {
    const { intake, give } = stage(() => passing(5).then(() => {}))
    const took = await timersOf(async () => {
      for (let n = 0; n < 1_000; n++) await give(`gw/${n % 200}/n`, n)
      await intake.idle()
    })
    expect(took).toBeLessThan(2_000)
  })

  it('a message that fails is tried once more, then put aside, and delays its own device alone', async () => {
    const received: string[] = []
    const { intake, give, aside } = stage((topic, message) => {
      received.push(`${topic} ${String(message)}`)
      if (message === 'poison') throw new Error('cannot be stored')
    })
    await give('gw/1/n', 'poison')
    await give('gw/1/n', 'after')
    await give('gw/2/n', 'door')
    expect(received).toEqual(['gw/1/n poison', 'gw/2/n door'])
    await intake.idle()
    expect(received).toEqual(['gw/1/n poison', 'gw/2/n door', 'gw/1/n poison', 'gw/1/n after'])
    expect(aside).toEqual([['failed', 'gw/1/n "poison"']])
  })

  it('what fails once and then goes well is not put aside', async () => {
    let tries = 0
    const { intake, give, aside } = stage(() => {
      if (++tries < 2) throw new Error('database away')
    })
    await give('gw/1/n', 1)
    await intake.idle()
    expect([tries, aside]).toEqual([2, []])
  })

  it('a device that sends one bad message after the other is not given a pause for each', async () => {
    const { intake, give, aside } = stage(() => Promise.reject(new Error('cannot be stored')), { againMs: 200 })
    const took = await timersOf(async () => {
      for (let n = 0; n < 50; n++) await give('gw/1/n', n)
      await intake.idle()
    })
    expect(aside).toHaveLength(50)
    expect(took).toBeLessThan(1_000)
  })

  it('what is no JSON is put aside in its turn, and the next message is handled', async () => {
    const received: unknown[] = []
    const { intake, give, aside } = stage((_topic, message, { retained }) => void received.push([message, retained]))
    await intake.take('gw/1/n', Buffer.from('{broken'), false)
    await intake.take('gw/1/n', json(1), true)
    await give('gw/1/n', null)
    await intake.idle()
    expect(received).toEqual([
      [1, true],
      [null, false],
    ])
    expect(aside).toEqual([['malformed', 'gw/1/n {broken']])
  })

  it('puts aside the beginning of what is larger than our own broker takes, and parses none of it', async () => {
    const handled: unknown[] = []
    const put: unknown[] = []
    const { intake, give } = stage((_topic, message) => void handled.push(message), {
      aside: (topic, payload, reason, err) => void put.push([topic, payload.length, reason, (err as Error).name]),
    })
    const parsed = vi.spyOn(JSON, 'parse')
    await give('gw/1/n', 'x'.repeat(MQTT_MESSAGE_BYTES_MAX))
    await give('gw/1/n', 'x'.repeat(MQTT_MESSAGE_BYTES_MAX - 2))
    await intake.idle()
    expect(put).toEqual([['gw/1/n', MQTT_MESSAGE_BYTES_MAX, 'malformed', 'MessageTooLargeError']])
    expect(handled).toEqual(['x'.repeat(MQTT_MESSAGE_BYTES_MAX - 2)])
    expect(parsed.mock.calls.map(([text]) => text.length)).toEqual([MQTT_MESSAGE_BYTES_MAX])
  })

  it('holds who brings messages while too many wait, and lets go when there is room', async () => {
    let open: (() => void)[] = []
    const { intake, give } = stage(() => new Promise<void>((resolve) => open.push(resolve)), { insideMax: 3 })
    await give('gw/1/n', 1)
    await give('gw/2/n', 2)
    let isThrough = false
    const third = give('gw/3/n', 3).then(() => (isThrough = true))
    await passing(20)
    expect([isThrough, intake.inside()]).toEqual([false, 3])
    open.shift()!()
    await third
    for (const resolve of open) resolve()
    open = []
    await intake.idle()
    expect(intake.inside()).toBe(0)
  })

  it('one device cannot fill it: what is too much is put aside, and another device is handled', async () => {
    const open: (() => void)[] = []
    const received: string[] = []
    const { intake, give, aside } = stage(
      (topic) => {
        received.push(topic)
        if (topic === 'gw/1/n') return new Promise<void>((resolve) => open.push(resolve))
      },
      { insideMax: 40 },
    )
    for (let n = 0; n < 10; n++) await give('gw/1/n', n)
    await give('gw/2/n', 1)
    expect(received).toEqual(['gw/1/n', 'gw/2/n'])
    await vi.waitFor(() => expect(aside.map(([reason]) => reason)).toEqual(Array(6).fill('crowded')))
    const opening = setInterval(() => open.shift()?.(), 1)
    await intake.idle()
    clearInterval(opening)
    expect(received.filter((topic) => topic === 'gw/1/n')).toHaveLength(4)
  })

  it('goes on when a message cannot even be put aside', async () => {
    const error = vi.fn<() => void>()
    const received: unknown[] = []
    const { intake, give } = stage((_topic, message) => void received.push(message), {
      aside: () => Promise.reject(new Error('database away')),
      log: { info: () => {}, warn: () => {}, error },
    })
    await intake.take('gw/1/n', Buffer.from('{'), false)
    await give('gw/1/n', 1)
    await intake.idle()
    expect(received).toEqual([1])
    expect(error).toHaveBeenCalledOnce()
  })
})
