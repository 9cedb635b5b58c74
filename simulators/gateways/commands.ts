import type { Clock } from './clock.ts'
import type { ReceivedCommand, Ledger } from './ledger.ts'
import type { Link } from './link.ts'
import { DONE, EXPIRED, UNKNOWN_COMMAND, OTHER, UNSUPPORTED } from './protocol.ts'
import type { Answer, Body, Command, DevicePayload, Method } from './protocol.ts'

type Memory = {
  ack: DevicePayload & { ok: boolean }
  results?: DevicePayload[]
  entry: ReceivedCommand
  begunAt: number
}
type Options = {
  core: {
    supply: { clock: Clock }
    ledger: Ledger
    has: Body['has']
    time: { own: () => number; server: () => number }
  }
  link: Link
  methods: Record<string, Method>
  /** Results that a device with the fault `lying` reports, by method. */
  claims: Record<string, (params: DevicePayload) => DevicePayload>
}

const REMEMBERED = 200
const LIE_MS = 150

const isCommand = (message: DevicePayload): message is DevicePayload & Command =>
  typeof message.id === 'string' && typeof message.method === 'string' && typeof message.exp === 'number'

/** Returns the result messages of a command: one, or one per entry of `pieces`. */
function resultsOf(id: string, { code, msg, data }: Answer, rest: DevicePayload): DevicePayload[] {
  const base = { id, code, ...(msg === undefined ? {} : { msg }) }
  const pieces = data?.pieces as DevicePayload[] | undefined
  if (!pieces) return [{ ...base, ...(data === undefined ? {} : { data }), ...rest }]
  return pieces.map((piece, at) => ({
    ...base,
    data: piece,
    ...(pieces.length > 1 ? { part: at + 1, parts: pieces.length } : {}),
    ...rest,
  }))
}

/** Keeps a device's recent commands with their acknowledgements and results, and sends these. */
function createMemory({ supply: { clock }, has, time }: Options['core'], link: Link) {
  const memory = new Map<string, Memory>()
  const unsent: DevicePayload[] = []

  function acknowledge(ack: DevicePayload): void {
    if (!has('deafAck')) link.send('ack', ack)
  }

  function sendResults(results: DevicePayload[]): void {
    if (has('noResult')) return
    for (const one of results) if (!link.send('res', one)) unsent.push(one)
  }

  function remember(id: string, ack: Memory['ack'], entry: ReceivedCommand): Memory {
    const kept: Memory = { ack, entry, begunAt: clock.now() }
    memory.set(id, kept)
    if (memory.size > REMEMBERED) memory.delete(memory.keys().next().value!)
    acknowledge(ack)
    return kept
  }

  function finish(id: string, answer: Answer): void {
    const kept = memory.get(id)
    if (!kept || kept.results) return
    kept.entry.code = answer.code
    kept.entry.endedAt = clock.now()
    kept.results = resultsOf(id, answer, { dur: clock.now() - kept.begunAt, ts: time.own() })
    sendResults(kept.results)
  }

  function answerAgain(id: string): void {
    const kept = memory.get(id)
    if (!kept) return acknowledge({ id, ok: false, code: UNKNOWN_COMMAND, msg: 'never heard of', ts: time.own() })
    if (kept.results && !has('noResult')) sendResults(kept.results)
    else acknowledge(kept.ack)
  }

  return {
    remember,
    finish,
    answerAgain,
    knows: (id: string) => memory.has(id),
    sendUnsent: () => sendResults(unsent.splice(0)),
    /** After a power cut, finishes running commands as interrupted, except those that complete after the restart. */
    interrupt: (surviving: ReadonlySet<string>): void => {
      for (const [id, { ack, results }] of memory)
        if (ack.ok && !results && !surviving.has(id)) finish(id, { code: OTHER, msg: 'interrupted' })
    },
  }
}

/** Executes each command once and repeats the answer when it arrives again. */
export function createCommands({ core, link, methods, claims }: Options) {
  const { ledger, has, time } = core
  const { clock } = core.supply
  const { remember, finish, answerAgain, knows, sendUnsent, interrupt } = createMemory(core, link)
  function refusalOf(command: Command): Answer | Exclude<ReturnType<Method>, Answer> {
    if (Math.max(time.server(), command.ts) >= command.exp) return { code: EXPIRED }
    const method = Object.hasOwn(methods, command.method) ? methods[command.method] : undefined
    return method ? method(command.params ?? {}, command) : { code: UNSUPPORTED }
  }

  function take(command: Command): void {
    const entry = ledger.received(command)
    if (knows(command.id)) return answerAgain(command.id)
    const begin = refusalOf(command)
    if (typeof begin !== 'function') {
      entry.refused = begin.code
      remember(command.id, { id: command.id, ok: false, ...begin, ts: time.own() }, entry)
      return
    }
    remember(command.id, { id: command.id, ok: true, ts: time.own() }, entry)
    if (has('lying')) {
      const data = claims[command.method]?.(command.params)
      clock.after(LIE_MS, () => finish(command.id, { code: DONE, ...(data ? { data } : {}) }))
      return
    }
    entry.executed++
    begin((answer) => finish(command.id, answer))
  }

  return {
    take: (message: DevicePayload): void => {
      if (isCommand(message)) take(message)
    },
    query: ({ ids }: DevicePayload) => {
      if (Array.isArray(ids)) for (const id of ids) if (typeof id === 'string') answerAgain(id)
    },
    sendUnsent,
    interrupt,
  }
}
