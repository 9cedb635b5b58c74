// npm run faults -- offline@GW-100001-S001 drop=0.2@20% limited@meituan [--off]: breaks simulated devices and platforms
// of the server that runs here, or mends them; without any, says what can be wrong.
import { parseArgs } from 'node:util'
import { readConfig } from '#apps/server/src/config.ts'
import { callSimulationControl } from '#apps/server/src/demo/simulation-control.ts'
import { faultOrderOf, faultTable } from '#simulators/gateways/faults.ts'

const { values, positionals } = parseArgs({
  options: { off: { type: 'boolean', default: false } },
  allowPositionals: true,
})

function leave(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

if (!positionals.length) {
  for (const fault of faultTable()) {
    const value =
      fault.form === 'number'
        ? `=${fault.usual}`
        : fault.form === 'word'
          ? `=${fault.words.map(({ key }) => key).join('|')}`
          : ''
    const of = fault.of.join(',')
    console.log(`${`${fault.name}${value}`.padEnd(48)} ${fault.label.zh}  ${fault.label.en}  (${of})`)
  }
  process.exit(0)
}
const { dataDir } = readConfig([], process.env)
for (const text of positionals) {
  const order = faultOrderOf(text) ?? leave(`"${text}" is not understood: fault, =value, @device or @share%.`)
  // A share draws devices anew each time, so a fault set by share is cleared on all devices.
  const mended = {
    clientIds: order.clientIds,
    faults: Object.fromEntries(Object.keys(order.faults).map((n) => [n, null])),
  }
  const answer = await callSimulationControl<{ changed: number }>(dataDir, 'faults', values.off ? mended : order)
  console.log(`${text}: ${answer ? `${answer.changed} changed` : leave('Nothing simulated runs here (DATA_DIR).')}`)
}
