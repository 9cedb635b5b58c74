// node bench/delaying-proxy.ts <port to listen on> <port to reach> <milliseconds each way>
// Stands for a network between a server and its database. Timers of Node are too coarse for tenths of a millisecond,
// and the kernel's own delays need a module that few machines have.
import { connect, createServer, type Socket } from 'node:net'

const [listenAt, target, delayMs] = process.argv.slice(2).map(Number) as [number, number, number]

/** Longest sleep, in which nothing is heard, and how much earlier than wanted a sleep has to end. */
const SLEEP_MS = 0.05
const OVERSLEPT_MS = 0.06
const bell = new Int32Array(new SharedArrayBuffer(4))

/** Parts in flight, in the order of their arrival, which is that of their departure. */
const inFlight: { at: number; deliver: () => void }[] = []
let isTicking = false

function tick(): void {
  for (let first = inFlight[0]; first && first.at <= performance.now(); first = inFlight[0]) {
    inFlight.shift()
    first.deliver()
  }
  const next = inFlight[0]
  if (!next) return void (isTicking = false)
  const rest = next.at - performance.now() - OVERSLEPT_MS
  if (rest > 0) Atomics.wait(bell, 0, 0, Math.min(rest, SLEEP_MS))
  setImmediate(tick)
}

function deliverLater(deliver: () => void): void {
  inFlight.push({ at: performance.now() + delayMs, deliver })
  if (isTicking) return
  isTicking = true
  setImmediate(tick)
}

function forward(from: Socket, to: Socket): void {
  from.setNoDelay(true)
  from.on('data', (part) => deliverLater(() => void (to.destroyed || to.write(part))))
  from.on('close', () => deliverLater(() => to.destroy()))
  from.on('error', () => from.destroy())
}

createServer((near) => {
  const far = connect(target, '127.0.0.1')
  forward(near, far)
  forward(far, near)
}).listen(listenAt, '127.0.0.1')
