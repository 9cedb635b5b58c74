import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createRandom } from '#kit/server/base/random.ts'
import { paceOf, PACES } from './pace.ts'
import { createRegister, type Credentials, type Register } from './register.ts'

const USAGE = `Plays registers and their customers over HTTP.
  node simulators/registers/main.ts --url http://localhost:8080 --registers registers.json
    [--pace 20/min] [--seed 1] [--quiet]
registers.json: [{"sn": "…", "secret": "…"}]; without --registers one line of it is read from standard input,
whose end ends the play.`

/** Exits with one sentence and the usage, without a stack. */
function leave(sentence: string): never {
  console.error(`${sentence}\n${USAGE}`)
  process.exit(1)
}

async function fromInput(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  lines.on('close', () => process.exit(0))
  return new Promise((resolve) => lines.once('line', resolve))
}

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    pace: { type: 'string', default: '20/min' },
    registers: { type: 'string' },
    seed: { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
})
if (!values.url) leave('--url is missing.')
const interval = paceOf(values.pace) ?? leave(`--pace must be ${PACES}; "${values.pace}" is not.`)
const credentials = JSON.parse(
  values.registers ? readFileSync(values.registers, 'utf8') : await fromInput(),
) as Credentials[]
const random = createRandom(values.seed ? Number(values.seed) : Date.now())
const log = values.quiet ? () => {} : (line: string) => console.log(line)
const registers: Register[] = credentials.map((one) => createRegister({ ...one, url: values.url!, random, log }))
const ready = new Set<Register>()

const HEARTBEAT_MS = 45_000
const RETRY_MS = 5_000

/** Starts a register, retrying until the server answers, and keeps its heartbeat going. */
async function live(register: Register): Promise<void> {
  if (!ready.has(register)) {
    if (!(await register.start())) return void setTimeout(() => void live(register), RETRY_MS)
    ready.add(register)
  }
  await register.beat()
  setTimeout(() => void live(register), register.figures().unsent ? RETRY_MS : HEARTBEAT_MS)
}

function sellOn(): void {
  // Customers arrive at random intervals (exponentially distributed).
  setTimeout(
    () => {
      const open = [...ready]
      if (open.length) void random.pick(open).sell()
      sellOn()
    },
    Math.min(interval * 5, -Math.log(1 - random.next()) * interval),
  )
}

for (const register of registers) void live(register)
sellOn()
if (!values.quiet) {
  setInterval(() => {
    const sum = registers
      .map((register) => register.figures())
      .reduce((all, one) => ({
        sold: all.sold + one.sold,
        acknowledged: all.acknowledged + one.acknowledged,
        sentLate: all.sentLate + one.sentLate,
        refused: all.refused + one.refused,
        wrong: all.wrong + one.wrong,
        unsent: all.unsent + one.unsent,
      }))
    console.log(
      `sold ${sum.sold}, acknowledged ${sum.acknowledged}, sent late ${sum.sentLate}, unsent ${sum.unsent}, ` +
        `refused ${sum.refused}, wrong ${sum.wrong}`,
    )
  }, 60_000).unref()
}
