import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { createRandom } from '#kit/server/base/random.ts'
import { paceOf, PACES } from '../registers/pace.ts'
import { startControl } from './control.ts'
import { deviceOrder, faultOrderOf } from './faults.ts'
import { createFleet } from './fleet.ts'
import { PROTOCOLS, type Protocol } from './mqtt-transport.ts'
import type { Credentials } from './protocol.ts'
import { upgradeKeyOf } from './upgrade.ts'

const USAGE = `Plays gateways, power gateways and registers that speak docs/gateways.md.
  node simulators/gateways/main.ts --url mqtt://localhost:1883 --gateways gateways.json
    [--protocol 3.1.1|5] [--per-second 200] [--pace 20/min] [--seed 1] [--quiet]
    [--fault drop=0.1@20% --fault offline@GW000001 …] [--control 0] [--upgrade-key key.pem]
gateways.json: [{"clientId": "…", "tenantId": "…", "secret": "…", "kind": "gateway|power|register"}], each with doors,
tags, printers, switches, customers and upcs where it has others than usual; without --gateways one line of it is read
from standard input, whose end ends the play. --pace says how often a customer comes; --control is a port on loopback
(0 takes a free one, which is said).`

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
    gateways: { type: 'string' },
    protocol: { type: 'string', default: '3.1.1' },
    'per-second': { type: 'string', default: '200' },
    pace: { type: 'string' },
    seed: { type: 'string' },
    fault: { type: 'string', multiple: true, default: [] },
    control: { type: 'string' },
    'upgrade-key': { type: 'string' },
    quiet: { type: 'boolean', default: false },
  },
})
if (!values.url) leave('--url is missing.')
if (!Object.hasOwn(PROTOCOLS, values.protocol)) leave(`--protocol must be ${Object.keys(PROTOCOLS).join(' or ')}.`)
const perSecond = Number(values['per-second'])
if (!(perSecond > 0)) leave('--per-second must be a number above zero.')
const pace = values.pace
  ? (paceOf(values.pace) ?? leave(`--pace must be ${PACES}; "${values.pace}" is not.`))
  : undefined
const orderOf = (text: string) => {
  const order = faultOrderOf(text)
  return order && deviceOrder(order)
}
const orders = values.fault.map((text) => orderOf(text) ?? leave(`--fault "${text}" is not understood.`))
const seed = values.seed ? Number(values.seed) : Date.now()
const key = values['upgrade-key']
const fleet = createFleet({
  url: values.url,
  credentials: JSON.parse(values.gateways ? readFileSync(values.gateways, 'utf8') : await fromInput()) as Credentials[],
  protocol: values.protocol as Protocol,
  seed,
  perSecond,
  upgradeKey: key ? upgradeKeyOf(readFileSync(key, 'utf8')) : undefined,
})
for (const order of orders) fleet.order(order)
fleet.start()
if (values.control !== undefined) console.log(`control ${(await startControl(fleet, Number(values.control))).url}`)

const random = createRandom(seed)
function comeOn(interval: number): void {
  // Customers arrive at random intervals (exponentially distributed).
  setTimeout(
    () => {
      fleet.customers.next()
      comeOn(interval)
    },
    Math.min(interval * 5, -Math.log(1 - random.next()) * interval),
  )
}
if (pace) comeOn(pace)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    fleet.stop()
    setTimeout(() => process.exit(0), 1_000)
  })
if (!values.quiet) {
  setInterval(() => {
    const { gateways, online, faulty, sent, heard, lost, queued, came, letIn } = fleet.figures()
    console.log(
      `${online} of ${gateways} online, ${faulty} with faults, sent ${sent}, heard ${heard}, lost ${lost}, ` +
        `events waiting ${queued}, customers ${came}, let in ${letIn}`,
    )
  }, 60_000).unref()
}
