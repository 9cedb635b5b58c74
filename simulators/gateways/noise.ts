import type { Clock } from './clock.ts'
import type { Link } from './link.ts'
import type { Body } from './protocol.ts'

const TOPICS = ['hb', 'ack', 'res', 'evt', 'hello', 'ask', 'prog'] as const
/** Malformed messages, each in another way: no JSON, no object, unknown type, absurd numbers, endless text. */
const NONSENSE = [
  '{"ts":',
  'null',
  '[]',
  '"text"',
  '{}',
  '{"id":{"$ne":1},"ok":"yes","code":"0","eid":7,"type":null,"data":"x","ts":"soon"}',
  '{"id":"","code":1e999,"eid":"","type":"door.opened","data":[],"ts":-1}',
  '{"__proto__":{"admin":true},"id":"x","eid":"x","type":"__proto__","data":{"__proto__":{}},"ts":1}',
  '\u0000\u0001\ufffd',
]

/**
 * Sends malformed messages once a second while the fault `malformed` is set, and floods or huge heartbeats for theirs.
 */
export function createNoise(clock: Clock, link: Link, has: Body['has'], sendHeartbeat: () => void) {
  let count = 0
  let stop: (() => void) | undefined

  function tick(): void {
    stop = undefined
    for (let left = has('flood') ?? 0; left > 0; left--) sendHeartbeat()
    if (has('malformed')) for (const topic of TOPICS) link.shout(topic, NONSENSE[count++ % NONSENSE.length]!)
    const bytes = has('huge')
    if (bytes) link.shout('hb', JSON.stringify({ ts: clock.now(), uptime: 1, fw: 'x'.repeat(bytes) }))
    look()
  }
  function look(): void {
    if (has('flood') || has('malformed') || has('huge')) stop ??= clock.after(1_000, tick)
  }
  return { look }
}
